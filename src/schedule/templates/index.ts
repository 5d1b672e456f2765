/** All templates: total over the graph primitives that anchor kernels. */
import { InternalError } from '../../base/errors.js'
import { type LoopProgram, type TemplateNode, templatesOf } from '../../loop/ir.js'
import type { Affine, IndexMap } from '../groups/affine.js'
import type { AnchorNode, ContractionNode } from '../groups/group.js'
import type { Buffers } from '../memory/buffers.js'
import type { SchedulePolicy } from '../policy.js'
import { attention } from './attention.js'
import { attentionGradient } from './attention-gradient.js'
import { convLast } from './conv.js'
import { convWeight } from './conv-weight.js'
import { foldWindows } from './fold-windows.js'
import { matmul, raggedMatmul } from './matmul.js'
import { nth } from './nth.js'
import { scan } from './scan.js'
import { sort } from './sort.js'
import type { ContractionTemplate, SplitTemplate, Stage, StageContext, Template } from './template.js'
import { topk } from './topk.js'

type TemplateOf<Node extends AnchorNode> = Node extends ContractionNode ? ContractionTemplate<Node> : Template<Node>

const templates: { readonly [Op in AnchorNode['op']]: TemplateOf<Extract<AnchorNode, { op: Op }>> } = {
  matmul,
  raggedMatmul,
  convLast,
  convWeight,
  foldWindows,
  attention,
  attentionGradient,
  scan,
  sort,
  topk,
  nth,
}

export const contractionTemplate = ({ op }: ContractionNode): ContractionTemplate =>
  templates[op] as ContractionTemplate

export const templateOf = ({ op }: Pick<AnchorNode, 'op'>): Template => templates[op] as Template

/** The kernels of a program that has a template. */
export function stagesOf(kernel: StageContext): readonly Stage[] {
  const [node] = templatesOf(kernel.program)
  if (node === undefined) throw new InternalError('schedule: a program without a template')
  return recordOf(node).stages(kernel, node)
}

/** Programs that are faster than one that has a template; null: there are none. */
export function splitTemplate(program: LoopProgram, policy: SchedulePolicy, buffers: Buffers): SplitTemplate | null {
  const [node] = templatesOf(program)
  return node === undefined ? null : (recordOf(node).split?.(program, node, policy, buffers) ?? null)
}

const recordOf = ({ attrs }: TemplateNode): Template => templateOf({ op: attrs.primitive.name as AnchorNode['op'] })

/** The index of each of an anchor's results, from those of its group. */
export function resultMaps(node: AnchorNode, map: IndexMap, folded: readonly Affine[]): readonly IndexMap[] {
  const own = (templateOf(node) as Partial<ContractionTemplate>).results?.(node as ContractionNode, map, folded)
  const types = node.type.kind === 'tuple' ? node.type.items : [node.type]
  return own ?? types.map(({ shape }) => map.slice(0, shape.length))
}
