/** All templates: total over the graph primitives that anchor kernels. */
import { InternalError } from '../../base/errors.js'
import { templatesOf } from '../../loop/ir.js'
import type { AnchorNode, ContractionNode } from '../groups/group.js'
import { attention } from './attention.js'
import { matmul, raggedMatmul } from './matmul.js'
import { scan } from './scan.js'
import { sort } from './sort.js'
import type { ContractionTemplate, Stage, StageContext, Template } from './template.js'
import { topk } from './topk.js'

type TemplateOf<Node extends AnchorNode> = Node extends ContractionNode ? ContractionTemplate<Node> : Template<Node>

const templates: { readonly [Op in AnchorNode['op']]: TemplateOf<Extract<AnchorNode, { op: Op }>> } = {
  matmul,
  raggedMatmul,
  attention,
  scan,
  sort,
  topk,
}

export const contractionTemplate = ({ op }: ContractionNode): ContractionTemplate =>
  templates[op] as ContractionTemplate

export const templateOf = ({ op }: Pick<AnchorNode, 'op'>): Template => templates[op] as Template

/** The kernels of a program that has a template. */
export function stagesOf(kernel: StageContext): readonly Stage[] {
  const [node] = templatesOf(kernel.program)
  if (node === undefined) throw new InternalError('schedule: a program without a template')
  return templateOf({ op: node.attrs.primitive.name as AnchorNode['op'] }).stages(kernel, node)
}
