/**
 * Specialises a kernel for the known facts of its launch: static sizes and strides become part of the code, scalars constants.
 */
import { rewrite } from '../ir/rewrite.js'
import { castValue } from '../scalar/ops.js'
import { type Parameter, type TileNode, type TileProgram, tileDialect, type ViewType } from './ir.js'
import type { ViewDims } from './kernel.js'

/**
 * The same kernel without its scalar parameters. `known`: per parameter, a view's dims (null ones stay run-time values) or a
 * scalar's value.
 */
export function specialise(program: TileProgram, known: readonly (ViewDims | number | bigint | null)[]): TileProgram {
  const params: Parameter[] = []
  const newParams = program.params.map(({ name, type }, i) => {
    const fact = known[i]!
    if (type.kind === 'scalar' && fact === null) return { index: params.push({ name, type }) - 1, name, type }
    if (type.kind === 'scalar' || typeof fact !== 'object' || fact === null) return { index: -1, name, type }
    const view: ViewType = { ...type, sizes: fact.sizes, strides: fact.strides }
    return { index: params.push({ name, type: view }) - 1, name, type: view }
  })
  const done = new Set<ViewType>()
  const { root } = rewrite<TileNode>(
    tileDialect,
    program.body,
    [
      {
        name: 'known dims',
        ops: ['view'],
        apply(node, b) {
          if (node.op !== 'view' || done.has(node.attrs.type)) return null
          const { index, name, type } = newParams[node.attrs.index]!
          if (type.kind !== 'view') return null
          done.add(type)
          return b.node('view', [], { index, name, type })
        },
      },
      {
        name: 'known scalar',
        ops: ['scalar'],
        apply(node, b) {
          if (node.op !== 'scalar') return null
          const { dtype, index, name } = node.attrs
          // Looked up by name, because a parameter may be visited again after it got its new index.
          const param = program.params.findIndex(other => other.name === name)
          const value = known[param] as number | bigint | null
          if (value === null) {
            const newIndex = newParams[param]!.index
            return newIndex === index ? null : b.node('scalar', [], { index: newIndex, name, dtype })
          }
          return b.node('const', [], {
            dtype,
            value: castValue(typeof value === 'bigint' ? 'i64' : 'f64', dtype, value),
          })
        },
      },
    ],
    'specialise',
  )
  return {
    ...program,
    params,
    equalSizes: [],
    body: { ...root, params: root.params.filter(({ op }) => op !== 'const') },
  }
}
