/** The role of each graph primitive in fusion, as one total table, so that no primitive is forgotten. */
import type { GraphNode, GraphOpName } from '../../graph/ir.js'

/**
 * input        memory that exists already
 * scalar       a 0-d value that every kernel has
 * view         its input's elements under another index
 * pointwise    one scalar op per element of its inputs, at the same index
 * computed     any other value of a loop, computed where it is needed or stored
 * contraction  a template that elementwise work on its result may fuse with (templates/)
 * rows         a template that processes rows along a dim, in a kernel of its own (templates/)
 * parts        tensors concatenated in memory, each stored by its own kernel
 * launch       a user's kernel
 * control      control flow: a step whose blocks are scheduled on their own
 * expanded     replaced by other primitives before scheduling (graph/passes)
 * item         one result of several
 */
const roles = {
  input: 'input',
  scalarInput: 'scalar',
  constant: 'scalar',
  size: 'scalar',
  iota: 'computed',
  map: 'pointwise',
  cast: 'pointwise',
  bitcast: 'pointwise',
  copy: 'pointwise',
  permute: 'view',
  expand: 'view',
  reshape: 'view',
  slice: 'view',
  affine: 'view',
  pad: 'computed',
  reduce: 'computed',
  scan: 'rows',
  matmul: 'contraction',
  conv: 'expanded',
  region: 'expanded',
  groupOf: 'computed',
  raggedMatmul: 'contraction',
  attention: 'contraction',
  cat: 'parts',
  gather: 'computed',
  scatter: 'rows',
  sort: 'rows',
  topk: 'rows',
  random: 'computed',
  launch: 'launch',
  cond: 'control',
  loop: 'control',
  item: 'item',
} as const satisfies { readonly [Op in GraphOpName]: string }

type Roles = typeof roles
export type NodeRole = Roles[GraphOpName]

/** The nodes of the given roles. */
export type NodeOfRole<R extends NodeRole> = Extract<
  GraphNode,
  { op: { [Op in GraphOpName]: Roles[Op] extends R ? Op : never }[GraphOpName] }
>

export function hasRole<R extends NodeRole>(node: GraphNode, ...wanted: readonly R[]): node is NodeOfRole<R> {
  const role: NodeRole = roles[node.op]
  return (wanted as readonly NodeRole[]).includes(role)
}

export const isView = (node: GraphNode): node is NodeOfRole<'view'> => hasRole(node, 'view')
export const isPointwise = (node: GraphNode): node is NodeOfRole<'pointwise'> => hasRole(node, 'pointwise')
export const isScalarSource = (node: GraphNode): node is NodeOfRole<'scalar'> => hasRole(node, 'scalar')
export const isContraction = (node: GraphNode): node is NodeOfRole<'contraction'> => hasRole(node, 'contraction')
