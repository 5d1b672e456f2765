/**
 * The binary interface of kernels: a kernel's parameters as a flat list of 8-byte arguments. A view is its pointer (to its
 * element at offset 0), then the sizes and then the strides that its type leaves to run time; a scalar is one argument
 * (floats as f64, integers and bool as i64). Lowering, emitters and launchers all use this list.
 */
import type { Dtype } from '../types/dtype.js'
import type { Parameter } from './ir.js'

export type Argument =
  | { readonly kind: 'pointer'; readonly param: number; readonly name: string; readonly dtype: Dtype }
  | { readonly kind: 'size' | 'stride'; readonly param: number; readonly name: string; readonly dim: number }
  | { readonly kind: 'scalar'; readonly param: number; readonly name: string; readonly dtype: Dtype }

export function argumentsOf(params: readonly Parameter[]): readonly Argument[] {
  const known = flattened.get(params)
  if (known !== undefined) return known
  const made = flatten(params)
  flattened.set(params, made)
  return made
}

/** A kernel is launched many times. */
const flattened = new WeakMap<readonly Parameter[], readonly Argument[]>()

const flatten = (params: readonly Parameter[]): readonly Argument[] =>
  params.flatMap((parameter, param): Argument[] => {
    const { name, type } = parameter
    if (type.kind === 'scalar') return [{ kind: 'scalar', param, name, dtype: type.dtype }]
    const runTime = (kind: 'size' | 'stride'): Argument[] =>
      type[kind === 'size' ? 'sizes' : 'strides'].flatMap((known, dim): Argument[] =>
        known === null ? [{ kind, param, name: `${name}_${kind}${dim}`, dim }] : [],
      )
    return [{ kind: 'pointer', param, name, dtype: type.dtype }, ...runTime('size'), ...runTime('stride')]
  })
