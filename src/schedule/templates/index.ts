/** All templates: total over the graph primitives that anchor kernels. */
import { InternalError } from '../../base/errors.js'
import { templatesOf } from '../../loop/ir.js'
import type { AnchorNode, ContractionNode } from '../groups/group.js'
import type { Grid } from '../tiling/grid.js'
import { attention } from './attention.js'
import { matmul, raggedMatmul } from './matmul.js'
import { scan } from './scan.js'
import { sort } from './sort.js'
import type { ContractionTemplate, KernelContext, Template } from './template.js'
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

/** Writes the kernel of a program that has a template. */
export function writeTemplate(kernel: KernelContext): Grid {
  const [node] = templatesOf(kernel.program)
  if (node === undefined) throw new InternalError('schedule: a program without a template')
  return templateOf({ op: node.attrs.primitive.name as AnchorNode['op'] }).write(kernel, node)
}
