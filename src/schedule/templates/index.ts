/** All templates: total over the graph primitives that anchor kernels, and over the loop dialect's templates. */
import { InternalError } from '../../base/errors.js'
import { type TemplateNode, type TemplateOp, templatesOf } from '../../loop/ir.js'
import type { AnchorNode, ContractionNode } from '../groups/group.js'
import type { Grid } from '../tiling/grid.js'
import { attention, writeAttention } from './attention.js'
import { matmul, raggedMatmul, writeMatmul } from './matmul.js'
import { scan, writeScan } from './scan.js'
import { scatter, writeScatter } from './scatter.js'
import { sort, writeSort } from './sort.js'
import type { ContractionTemplate, KernelContext, Template, WriteTemplate } from './template.js'
import { topk, writeTopk } from './topk.js'

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

const writers: { readonly [Op in TemplateOp]: WriteTemplate<Op> } = {
  matmul: writeMatmul,
  attention: writeAttention,
  scan: writeScan,
  topk: writeTopk,
  sort: writeSort,
  scatter: writeScatter,
}

export const contractionTemplate = (node: ContractionNode): ContractionTemplate<ContractionNode> =>
  contractions[node.op] as ContractionTemplate<ContractionNode>

export const templateOf = (node: AnchorNode): Template<AnchorNode> => templates[node.op] as Template<AnchorNode>

/** Writes the kernel of a program that has a template. */
export function writeTemplate(kernel: KernelContext): Grid {
  const [node] = templatesOf(kernel.program)
  if (node === undefined) throw new InternalError('schedule: a program without a template')
  return (writers[node.op] as WriteTemplate<TemplateNode['op']>)(kernel, node)
}
