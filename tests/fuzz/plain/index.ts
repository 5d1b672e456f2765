/** The plain evaluator as a namespace with the names that programs import from Tegula. */
import { category, numberDtype, type PlainDtype } from './dtypes.js'
import { PlainError, Unfit } from './errors.js'
import { cat, foldMethods, linear, stack } from './folds.js'
import { assign, comparisonMethods, pointwiseMethods, where, writingMethods } from './pointwise.js'
import { count, PlainTensor, type Shape } from './tensor.js'
import { viewMethods } from './views.js'

/** The function, of tensors that were not disposed. */
function alive<Args extends readonly unknown[], R>(apply: (...args: Args) => R): (...args: Args) => R {
  return (...args) => {
    for (const tensor of args.flat()) if (tensor instanceof PlainTensor) tensor.requireAlive()
    return apply(...args)
  }
}

for (const [name, method] of Object.entries({
  ...viewMethods,
  ...pointwiseMethods,
  ...comparisonMethods,
  ...foldMethods,
  ...writingMethods,
})) {
  const apply = method as (x: PlainTensor, ...args: unknown[]) => unknown
  Object.defineProperty(PlainTensor.prototype, name, {
    value(this: PlainTensor, ...args: unknown[]): unknown {
      return alive(apply)(this, ...args)
    },
  })
}

interface Options {
  readonly dtype?: PlainDtype
}

type Nested = number | boolean | readonly Nested[]

function shapeOf(data: Nested): number[] {
  return Array.isArray(data) ? [data.length, ...(data.length > 0 ? shapeOf((data as readonly Nested[])[0]!) : [])] : []
}

function tensor(data: Nested, { dtype }: Options = {}): PlainTensor {
  const values = [data].flat(Number.POSITIVE_INFINITY as 1) as (number | boolean)[]
  const isBool = values.length > 0 && values.every(value => typeof value === 'boolean')
  return PlainTensor.of(dtype ?? (isBool ? 'bool' : 'f32'), shapeOf(data), values.map(Number))
}

function full(shape: Shape, value: number | boolean, { dtype }: Options = {}): PlainTensor {
  if (shape.some(size => !Number.isInteger(size) || size < 0)) throw new PlainError('ArgumentError', `shape ${shape}`)
  if (count(shape) > 1000) throw new Unfit('a large tensor')
  const made = dtype ?? (typeof value === 'boolean' ? 'bool' : 'f32')
  return PlainTensor.of(made, shape, new Array<number>(count(shape)).fill(Number(value)))
}

function arange(...args: readonly (number | Options | undefined)[]): PlainTensor {
  if (args.length > 1 && args[1] === undefined) throw new PlainError('ArgumentError', 'arange: end is missing')
  const numbers = args.filter(arg => typeof arg === 'number')
  const { dtype } = (args.find(arg => typeof arg === 'object') ?? {}) as Options
  const [start, end, step = 1] = numbers.length === 1 ? [0, numbers[0]!] : (numbers as [number, number, number?])
  const length = Math.max(0, Math.ceil((end - start) / step))
  const whole = numbers.every(Number.isInteger)
  if (length > 1000) throw new Unfit('a large tensor')
  return PlainTensor.of(
    dtype ?? (whole ? 'i64' : 'f32'),
    [length],
    Array.from({ length }, (_, i) => start + i * step),
  )
}

/** Random numbers are nobody's to foretell: any of the right shape, and programs with them are compared otherwise. */
function drawn(shape: Shape, dtype: PlainDtype = 'f32'): PlainTensor {
  const made = full(shape, 1, { dtype })
  made.memory.slack = 1 // so that nothing depends on what they are
  return made
}

const vector = (name: string, x: PlainTensor): void => {
  if (x.ndim !== 1) throw new PlainError('ArgumentError', `${name}: a view of one dim`)
  if (x.dtype !== 'f32') throw new PlainError('DtypeError', `${name}: f32`)
}

interface Launch {
  readonly x: PlainTensor
  readonly out: PlainTensor
  readonly acc: PlainTensor
  readonly factor: number
}

/** Loads past the end read 0; what is stored past it is dropped. */
function stored(
  name: string,
  x: PlainTensor,
  out: PlainTensor,
  value: (x: number, old: number, i: number) => number,
): void {
  vector(name, x)
  vector(name, out)
  if (x !== out && x.memory === out.memory && !sameView(x, out)) throw new Unfit('views of one memory in one launch')
  if (out.overlapsItself()) throw new Unfit('a kernel that writes through an expanded view')
  const [read, old] = [x.values(), out.values()]
  assign(
    out,
    PlainTensor.of(
      'f32',
      out.shape,
      old.map((was, i) => value(read[i] ?? 0, was, i)),
      [x, out],
    ),
  )
}

const sameView = (a: PlainTensor, b: PlainTensor): boolean =>
  a.offset === b.offset && `${a.shape}/${a.strides}` === `${b.shape}/${b.strides}`

const kernels = {
  scale: { launch: ({ x, out, factor }: Launch) => stored('scale', x, out, value => value * factor) },
  accumulate: { launch: ({ x, acc }: Launch) => stored('accumulate', x, acc, (value, old) => old + value) },
  evens: { launch: ({ x, out }: Launch) => stored('evens', x, out, (value, old, i) => (i % 2 === 0 ? value : old)) },
}

const like = (x: PlainTensor, value: number): PlainTensor => full(x.shape, value, { dtype: x.dtype })

export const plain = {
  ...kernels,
  Tensor: PlainTensor,
  tensor,
  full,
  zeros: (shape: Shape, options?: Options) => full(shape, 0, options),
  ones: (shape: Shape, options?: Options) => full(shape, 1, options),
  zerosLike: alive((x: PlainTensor) => like(x, 0)),
  onesLike: alive((x: PlainTensor) => like(x, 1)),
  arange,
  cat: alive(cat),
  stack: alive(stack),
  where: alive(where),
  linear: alive(linear),
  matmul: alive((a: PlainTensor, b: PlainTensor) => foldMethods.matmul(a, b)),
  manualSeed: () => {},
  rand: (shape: Shape) => drawn(shape),
  randint: (_low: number, _high: number, shape: Shape) => drawn(shape, 'i64'),
  dropout: alive((x: PlainTensor) => drawn(x.shape, x.dtype)),
  compile: <F>(fn: F): F => fn,
}

export { category, numberDtype, PlainError, PlainTensor, Unfit }
