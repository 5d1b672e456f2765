/** All templates: total over the graph primitives that anchor kernels. */
import { InternalError } from '../../base/errors.js'
import { templatesOf } from '../../loop/ir.js'
import type { AnchorNode, ContractionNode } from '../groups/group.js'
import { attention } from './attention.js'
import { matmul, raggedMatmul } from './matmul.js'
import { scan } from './scan.js'
import { scatter } from './scatter.js'
import { sort } from './sort.js'
import type { ContractionTemplate, Stage, StageContext, Template } from './template.js'
import { topk } from './topk.js'

const contractions: {
  readonly [Op in ContractionNode['op']]: ContractionTemplate<Extract<ContractionNode, { op: Op }>>
} = {
  matmul,
  raggedMatmul,
  attention,
}

const templates: { readonly [Op in AnchorNode['op']]: Template<Extract<AnchorNode, { op: Op }>> } = {
  ...contractions,
  scan,
  scatter,
  sort,
  topk,
}

export const contractionTemplate = ({ op }: ContractionNode): ContractionTemplate =>
  contractions[op] as ContractionTemplate

export const templateOf = ({ op }: Pick<AnchorNode, 'op'>): Template => templates[op] as Template

/** The kernels of a program that has a template. */
export function stagesOf(kernel: StageContext): readonly Stage[] {
  const [node] = templatesOf(kernel.program)
  if (node === undefined) throw new InternalError('schedule: a program without a template')
  return templateOf({ op: node.attrs.primitive.name as AnchorNode['op'] }).stages(kernel, node)
}
