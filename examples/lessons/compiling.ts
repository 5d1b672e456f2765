/**
 * When compiling pays: eager and compiled calls of small and large functions, what first calls cost (with an empty disk cache, and in a
 * second process), after how many calls they are paid for, and what changing sizes cost.
 *
 *     npx tsx examples/lessons/compiling.ts [--device cuda] [--quick]
 */
import { compile, type DeviceName, manualSeed, noGrad, randn, type Tensor, zeros } from 'tegula'
import { functional as F } from 'tegula/nn'
import { SGD } from 'tegula/optim'
import {
  breakEven,
  type Comparison,
  compare,
  type FirstCalls,
  firstCalls,
  formatTime,
  sweep,
  Table,
} from 'tegula/profile'
import { ResNet18 } from '../train/models/resnet18.js'
import { type AnyTable, type LessonOptions, main, measuring, type Section } from './lesson.js'

type Fn = (...inputs: readonly Tensor[]) => unknown

/** One kind of function. */
interface Case {
  readonly name: (quick: boolean) => string
  /** A fresh function with its inputs: two of a training step do not share weights. */
  make(device: DeviceName, quick: boolean): { readonly fn: Fn; readonly inputs: readonly Tensor[] }
  /** Default: by dtype. */
  readonly tolerance?: number
}

const chain: Fn = x => {
  let y = x!
  for (let i = 0; i < 5; i++) y = y.mul(1.01).add(0.1).relu()
  return y
}

function trainingStep(device: DeviceName, quick: boolean) {
  manualSeed(0)
  const [net, images] = [new ResNet18(10).to(device), imagesOf(device, quick ? 2 : 8, quick ? 32 : 64)]
  const optimizer = new SGD(net.parameters(), { lr: 0.01, momentum: 0.9 })
  const labels = zeros([images.size(0)], { dtype: 'i64', device })
  const fn: Fn = (x, y) => {
    const loss = F.crossEntropy(net(x!), y!)
    loss.backward()
    optimizer.step()
    optimizer.zeroGrad()
    return loss
  }
  return { fn, inputs: [images, labels] }
}

function inference(device: DeviceName, quick: boolean) {
  manualSeed(0)
  const net = new ResNet18(10).to(device).eval()
  return { fn: (x: Tensor) => noGrad(() => net(x)), inputs: [imagesOf(device, 1, quick ? 32 : 224)] }
}

const imagesOf = (device: DeviceName, count: number, size: number): Tensor => randn([count, 3, size, size], { device })

const cases: readonly Case[] = [
  {
    name: () => 'one op on 8 numbers',
    make: device => ({ fn: x => x!.add(1), inputs: [randn([8], { device })] }),
  },
  {
    name: () => '15 pointwise ops on 8 numbers',
    make: device => ({ fn: chain, inputs: [randn([8], { device })] }),
  },
  {
    name: quick => `15 pointwise ops on ${quick ? '64 k' : '4 M'} numbers`,
    make: (device, quick) => ({ fn: chain, inputs: [randn([quick ? 2 ** 16 : 2 ** 22], { device })] }),
  },
  {
    name: quick => `one matmul, ${quick ? 256 : 1024}³`,
    make: (device, quick) => {
      const n = quick ? 256 : 1024
      return { fn: (x, y) => x!.matmul(y!), inputs: [randn([n, n], { device }), randn([n, n], { device })] }
    },
  },
  { name: quick => `ResNet-18, inference on ${quick ? '1 × 32²' : '1 × 224²'}`, make: inference, tolerance: 1e-3 },
  {
    name: quick => `ResNet-18, training step on ${quick ? '2 × 32²' : '8 × 64²'}`,
    make: trainingStep,
    tolerance: 1e-2,
  },
]

type Way = 'eager' | 'compiled'

/** What new processes run: the first call of a case. */
export function prepareCase(index: number, way: Way, device: DeviceName, quick: boolean): () => unknown {
  const { fn, inputs } = cases[index]!.make(device, quick)
  return () => (way === 'compiled' ? compile(fn) : fn)(...inputs)
}

/** How compiled functions meet sizes that change. */
const sizePolicies = {
  'a version per size': { dynamic: false, recompileLimit: 64 },
  'one version for any size': { dynamic: true },
  "bucket: 'pow2'": { dynamic: true, bucket: 'pow2' },
} as const

type SizePolicy = keyof typeof sizePolicies
const sizePolicyNames = Object.keys(sizePolicies) as readonly SizePolicy[]

const width = 512
/** A layer and the probabilities of its outputs, for n tokens. */
const layerOf =
  (weight: Tensor): Fn =>
  x =>
    x!.matmul(weight).softmax(-1)

const weightOn = (device: DeviceName): Tensor => randn([width, width], { device }).div(Math.sqrt(width))

/** What new processes run: the first calls with all sizes. */
export function prepareSizes(
  policy: SizePolicy | 'eager',
  device: DeviceName,
  sizes: readonly number[],
): () => unknown {
  const layer = layerOf(weightOn(device))
  const inputs = sizes.map(n => randn([n, width], { device }))
  return () => {
    const f = policy === 'eager' ? layer : compile(layer, sizePolicies[policy])
    return inputs.map(x => f(x))
  }
}

/** The lesson. `names`: only cases whose names contain one of these. */
export async function compiling(
  options: LessonOptions,
  write: (section: Section) => void,
  names: readonly string[] = [''],
): Promise<void> {
  const results: CaseResult[] = []
  for (const [i, each] of cases.entries())
    if (names.some(name => each.name(options.quick).includes(name))) results.push(await measureCase(i, each, options))
  write({
    title: 'When compiling pays',
    table: casesTable(results),
    notes: [
      'First calls are those of new processes: cold with an empty disk cache, warm in a second process. Break-even is the number of calls after ' +
        'which the first compiled call is paid for, beside eager calls whose kernels are compiled already.',
    ],
  })
  for (const section of await changingSizes(options)) write(section)
}

interface CaseResult {
  readonly name: string
  readonly comparison: Comparison
  readonly first: Readonly<Record<Way, FirstCalls>>
}

async function measureCase(index: number, each: Case, options: LessonOptions): Promise<CaseResult> {
  const { device, quick } = options
  const [eager, compiled] = [each.make(device, quick), each.make(device, quick)]
  const functions = { eager: eager.fn, compiled: compile(compiled.fn) }
  const tolerance = each.tolerance === undefined ? {} : { tolerance: each.tolerance }
  const comparison = await compare(functions, eager.inputs, { ...measuring(options), ...tolerance, peak: false })
  const firstOf = (way: Way) => firstCalls(import.meta.url, 'prepareCase', [index, way, device, quick])
  return {
    name: each.name(quick),
    comparison,
    first: { eager: await firstOf('eager'), compiled: await firstOf('compiled') },
  }
}

const callOf = ({ comparison }: CaseResult, way: number): number => comparison.rows[way]!.call.median

/** After how many calls, 'never' if its calls are not faster. */
const breakEvenOf = (result: CaseResult, process: keyof FirstCalls): number | null =>
  breakEven(result.first.compiled[process].nanoseconds, callOf(result, 1), callOf(result, 0))

function casesTable(results: readonly CaseResult[]): AnyTable {
  const time = (head: string, name: string, of: (result: CaseResult) => number) => ({
    head,
    text: (result: CaseResult) => formatTime(of(result)),
    data: { name: `${name}_ns`, value: of },
  })
  const calls = (head: string, name: string, process: keyof FirstCalls) => ({
    head,
    text: (result: CaseResult) => breakEvenOf(result, process)?.toLocaleString('en') ?? 'never',
    data: { name, value: (result: CaseResult) => breakEvenOf(result, process) },
  })
  return new Table<CaseResult>(
    [
      { head: '', left: true, text: ({ name }) => name, data: { name: 'case', value: ({ name }) => name } },
      time('eager', 'eager', result => callOf(result, 0)),
      time('compiled', 'compiled', result => callOf(result, 1)),
      {
        head: 'speed',
        text: result => `${(callOf(result, 0) / callOf(result, 1)).toFixed(2)}×`,
        data: { name: 'speedup', value: result => callOf(result, 0) / callOf(result, 1) },
      },
      time('first call: eager, cold', 'eager_cold', ({ first }) => first.eager.cold.nanoseconds),
      time('warm', 'eager_warm', ({ first }) => first.eager.warm.nanoseconds),
      time('compiled, cold', 'compiled_cold', ({ first }) => first.compiled.cold.nanoseconds),
      time('warm', 'compiled_warm', ({ first }) => first.compiled.warm.nanoseconds),
      calls('break-even: cold', 'break_even_cold', 'cold'),
      calls('warm', 'break_even_warm', 'warm'),
    ],
    results,
  )
}

async function changingSizes(options: LessonOptions): Promise<Section[]> {
  const { device, quick } = options
  const sizes = quick ? [5, 24] : [5, 24, 33, 100, 250, 400]
  const layer = layerOf(weightOn(device))
  const functions = {
    eager: layer,
    ...Object.fromEntries(sizePolicyNames.map(name => [name, compile(layer, sizePolicies[name])])),
  }
  const make = ({ n }: { readonly n: number }) => ({ functions, args: [randn([n, width], { device })] })
  const result = await sweep({ n: sizes }, make, { ...measuring(options), peak: false })
  const first: SizesResult[] = []
  for (const name of ['eager', ...sizePolicyNames] as const)
    first.push({ name, calls: await firstCalls(import.meta.url, 'prepareSizes', [name, device, sizes]) })
  const note = `softmax(x·w) of n tokens, w ${width} × ${width}.`
  return [
    { title: 'Sizes that change: time of a call', table: result, notes: [note] },
    { title: `Sizes that change: the first calls with all ${sizes.length}`, table: sizesTable(first), notes: [] },
  ]
}

interface SizesResult {
  readonly name: string
  readonly calls: FirstCalls
}

const sizesTable = (rows: readonly SizesResult[]): AnyTable =>
  new Table<SizesResult>(
    [
      { head: '', left: true, text: ({ name }) => name, data: { name: 'way', value: ({ name }) => name } },
      {
        head: 'cold',
        text: ({ calls }) => formatTime(calls.cold.nanoseconds),
        data: { name: 'cold_ns', value: ({ calls }) => calls.cold.nanoseconds },
      },
      {
        head: 'compiled',
        text: ({ calls }) => String(calls.cold.compiled),
        data: { name: 'compiled', value: ({ calls }) => calls.cold.compiled },
      },
      {
        head: 'in a second process',
        text: ({ calls }) => formatTime(calls.warm.nanoseconds),
        data: { name: 'warm_ns', value: ({ calls }) => calls.warm.nanoseconds },
      },
      {
        head: 'compiled',
        text: ({ calls }) => String(calls.warm.compiled),
        data: { name: 'compiled_warm', value: ({ calls }) => calls.warm.compiled },
      },
    ],
    rows,
  )

await main(import.meta.url, 'when compiling pays: calls, first calls, break-even, changing sizes', compiling)
