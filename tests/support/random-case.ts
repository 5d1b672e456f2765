/**
 * Random programs as users run them on tensors: inputs in every layout (expanded ones and 16-bit floats too), in-place
 * writes to inputs, results and views of either, results that are inputs or occur twice; and the same program at other
 * sizes.
 */
import type { RecordName } from '../../src/graph/ops/index.js'
import { recordTable } from '../../src/graph/ops/index.js'
import type { Tensor } from '../../src/index.js'
import { applyOp } from '../../src/tensor/dispatch.js'
import type { TensorDtype } from '../../src/types/dtype.js'
import { Choices } from './choices.js'
import { operandsOf, programGraph, type RandomProgram, randomProgram } from './random-graph.js'
import { bindArguments, count, type Layout, randomSpec, type TensorSpec, withLayout } from './tensor-spec.js'

/** An in-place op on a value of the program (or a view of it), right after that value or another one is computed. */
export interface RandomWrite {
  /** The value after whose op it runs; an input: before the first op. */
  readonly after: number
  readonly target: number
  readonly view: 'whole' | 'first' | 'transposed'
  readonly method: 'add_' | 'mul_' | 'fill_' | 'copy_'
  /** A number, or the value that is copied. */
  readonly value: number | { readonly id: number }
}

export interface RandomCase {
  readonly program: RandomProgram
  readonly writes: readonly RandomWrite[]
}

export const caseDtypes = ['f32', 'f32', 'f32', 'f32', 'f64', 'f16', 'bf16'] as const

/** Reproducible for a seed. About a third of the cases write in place. */
export function randomCase(seed: number, writing = 3): RandomCase {
  const choices = new Choices(seed + 77)
  const program = randomProgram(seed, { floats: caseDtypes })
  const inputs = program.inputs.map(({ id, spec }) => ({ id, spec: choices.oneIn(6) ? expanded(spec, choices) : spec }))
  const outputs = [...program.outputs]
  if (choices.oneIn(8)) outputs.push(choices.of(outputs))
  if (choices.oneIn(8)) outputs.push(choices.of(inputs).id)
  const varied = { ...program, inputs, outputs }
  return { program: varied, writes: choices.oneIn(writing) ? randomWrites(varied, choices) : [] }
}

/** A spec with one dim of stride 0, so that its elements share memory. */
function expanded(spec: TensorSpec, choices: Choices): TensorSpec {
  const { dtype, shape } = spec
  if (shape.length === 0 || shape.includes(0)) return spec
  const dim = choices.below(shape.length)
  const small = shape.with(dim, 1)
  const strides = small.map((_, d) => (d === dim ? 0 : count(small.slice(d + 1))))
  const inner = count(shape.slice(dim + 1))
  const data = Array.from({ length: count(shape) }, (_, flat) => {
    const outer = Math.floor(flat / (inner * shape[dim]!))
    return spec.data[outer * inner * shape[dim]! + (flat % inner)]!
  })
  return { dtype, shape, data, strides, offset: choices.of([0, 3]) }
}

const isExpanded = ({ strides, shape }: TensorSpec): boolean =>
  strides?.some((stride, d) => stride === 0 && shape[d]! > 1) ?? false

/** Writes keep values moderate and exact: small integers, or, at the very end, any value of the program. */
function randomWrites({ inputs, ops }: RandomProgram, choices: Choices): RandomWrite[] {
  const shared = new Set(inputs.filter(({ spec }) => isExpanded(spec)).map(({ id }) => id))
  for (const { id, name, args } of ops) {
    // If a tensor has the dtype already, `to` returns the tensor itself.
    const views = recordTable[name].category === 'view' || name === 'to'
    if (name === 'expand' || (views && operandsOf(args).some(of => shared.has(of)))) shared.add(id)
  }
  const values = [
    ...inputs.map(({ id, spec }) => ({ id, dtype: spec.dtype, shape: spec.shape })),
    ...ops.map(({ id, dtype, shape }) => ({ id, dtype, shape })),
  ].map(value => ({ ...value, free: !shared.has(value.id) }))
  const last = values.at(-1)!.id
  return Array.from({ length: 1 + choices.below(3) }, (): RandomWrite[] => {
    const at = choices.below(values.length)
    const target = choices.oneIn(2) ? values[at]! : values[choices.below(inputs.length)]!
    if (target.dtype === 'bool' || !target.free) return []
    const view = target.shape.length > 0 ? choices.of(['whole', 'first', 'transposed'] as const) : 'whole'
    const after = values[Math.max(at, values.indexOf(target))]!.id
    const fitting = values.filter(({ dtype, shape }) => dtype === target.dtype && `${shape}` === `${target.shape}`)
    if (view === 'whole' && choices.oneIn(2))
      return [{ after: last, target: target.id, view, method: 'copy_', value: { id: choices.of(fitting).id } }]
    const method = choices.of(['add_', 'mul_', 'fill_'] as const)
    return [{ after, target: target.id, view, method, value: method === 'mul_' ? -1 : choices.of([1, 2]) }]
  }).flat()
}

/** The first result of an op on tensors. */
export function callOp(name: RecordName, args: readonly unknown[]): Tensor {
  // The method does more than the op: it returns a tensor that has the dtype already unchanged.
  if (name === 'to') return (args[0] as Tensor).to(args[1] as TensorDtype)
  return applyOp(recordTable[name], args)[0]!
}

/** Runs a case on tensors, eagerly or while a function is captured. `made` receives each op's result. Returns the results in order. */
export function runCase(
  { program, writes }: RandomCase,
  inputs: readonly Tensor[],
  made: (id: number, value: Tensor) => void = () => {},
): Tensor[] {
  const values = new Map<number, Tensor>()
  const writeAfter = (id: number): void => {
    for (const write of writes) if (write.after === id) applyWrite(write, values)
  }
  program.inputs.forEach(({ id }, i) => {
    values.set(id, inputs[i]!)
  })
  for (const { id } of program.inputs) writeAfter(id)
  for (const { id, name, args } of program.ops) {
    values.set(
      id,
      callOp(
        name,
        bindArguments(args, of => values.get(of)!),
      ),
    )
    writeAfter(id)
    made(id, values.get(id)!)
  }
  return program.outputs.map(id => values.get(id)!)
}

function applyWrite({ target, view, method, value }: RandomWrite, values: ReadonlyMap<number, Tensor>): void {
  const whole = values.get(target)!
  const shown =
    view === 'whole'
      ? whole
      : view === 'first'
        ? whole.narrow(0, 0, Math.min(1, whole.shape[0]!))
        : whole.transpose(0, -1)
  if (method === 'copy_') shown.copy_(values.get((value as { id: number }).id)!)
  else shown[method](value as number)
}

/** A smaller program with those writes that are still valid for it. */
export function withProgram({ writes }: RandomCase, program: RandomProgram): RandomCase {
  const ids = new Set([...program.inputs, ...program.ops].map(({ id }) => id))
  const fits = ({ after, target, value }: RandomWrite): boolean =>
    ids.has(after) && ids.has(target) && (typeof value === 'number' || ids.has(value.id))
  return { program, writes: writes.filter(fits) }
}

/** The case with every size above 1 increased by one and new values; null if its ops do not accept those sizes. */
export function largerCase(small: RandomCase): RandomCase | null {
  const inputs = small.program.inputs.map(({ id, spec }) => {
    const shape = spec.shape.map(size => (size > 1 ? size + 1 : size))
    const dense = randomSpec(small.program.seed * 31 + id + 1000, spec.dtype, shape)
    if (isExpanded(spec)) return { id, spec: dense }
    return { id, spec: withLayout(dense, layoutOf(spec)) }
  })
  const program = { ...small.program, inputs }
  try {
    programGraph(program)
  } catch {
    return null // a reshape or an index that is written into the program
  }
  return { program, writes: small.writes }
}

function layoutOf({ strides, offset = 0 }: TensorSpec): Layout {
  if (strides === undefined) return 'dense'
  if (offset > 0) return 'offset'
  return strides.at(-1) === 2 ? 'strided' : 'transposed'
}

/** The code that shows a case's writes in messages. */
export const printWrites = ({ writes }: RandomCase): string =>
  writes
    .map(({ after, target, view, method, value }) => {
      const shown = view === 'whole' ? '' : view === 'first' ? '[0:1]' : '.transpose(0, -1)'
      return `after v${after}: v${target}${shown}.${method}(${typeof value === 'number' ? value : `v${value.id}`})`
    })
    .join('\n')
