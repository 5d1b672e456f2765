/** `sweep`: functions compared at each point of a grid of parameters, as a table or a line plot. */
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import { formatCount, formatTime, threeDigits } from '../base/units.js'
import { linePlotSvg } from '../report/plot.js'
import { inspectCustom } from '../tensor/inspect.js'
import { type BenchmarkFunction, type BenchmarkOptions, compare } from './benchmark.js'
import { measurementColumns } from './comparison.js'
import { anything, checkOptions, oneOf } from './options.js'
import type { MeasurementRecord, ParameterValue, SweepPoint } from './records.js'
import { type Column, csvTable, markdownTable, textTable } from './table.js'
import type { Timing } from './timing.js'
import type { Work } from './work.js'

/** The values of each parameter, by name. */
export type SweepParameters = Readonly<Record<string, readonly ParameterValue[]>>

/** The parameters at one point. */
export type SweepValues<P extends SweepParameters> = { readonly [Name in keyof P]: P[Name][number] }

/** What is compared at one point of a sweep. */
export interface SweepCase {
  /** By name; the same names at each point. */
  readonly functions: Readonly<Record<string, BenchmarkFunction<never>>>
  /** The arguments of each call. */
  readonly args: readonly unknown[]
  /** The work of a call. Default: the sweep's `work`, else counted from the plans. */
  readonly work?: Work
  /** The right results at this point, as `expected` of `compare`. Default: the others are compared with the first. */
  readonly expected?: unknown
}

/** What a table or plot of a sweep shows. 'time' is on the GPU's clock where there is one, 'call' on the host's: with the launches. */
export type SweepQuantity = 'time' | 'call' | 'bytesPerSecond' | 'flopsPerSecond' | 'speedup' | 'share'

type SweepFunctions = Readonly<Record<string, BenchmarkFunction<readonly unknown[]>>>

interface Quantity {
  readonly label: string
  value(row: MeasurementRecord): number | null
  text(value: number): string
  /** For the axis of a plot: what its values are divided by. */
  readonly unit: number
}

const timeOf = ({ call, device }: MeasurementRecord): Timing => device ?? call

const quantities: Readonly<Record<SweepQuantity, Quantity>> = {
  time: { label: 'time (µs)', value: row => timeOf(row).median, text: formatTime, unit: 1e3 },
  call: { label: 'call (µs)', value: ({ call }) => call.median, text: formatTime, unit: 1e3 },
  bytesPerSecond: {
    label: 'GB/s',
    value: ({ bytesPerSecond }) => bytesPerSecond,
    text: value => formatCount(value, 'B/s'),
    unit: 1e9,
  },
  flopsPerSecond: {
    label: 'GFLOP/s',
    value: ({ flopsPerSecond }) => flopsPerSecond,
    text: value => formatCount(value, 'FLOP/s'),
    unit: 1e9,
  },
  speedup: { label: 'speed', value: ({ speedup }) => speedup, text: value => `${threeDigits(value)}×`, unit: 1 },
  share: {
    label: 'share of the peak (%)',
    value: ({ share }) => share,
    text: value => `${threeDigits(value * 100)} %`,
    unit: 0.01,
  },
}

const quantityRule = oneOf(Object.keys(quantities))

/** Options of a sweep's plot. */
export interface SweepPlotOptions {
  /** What is plotted upwards. Default 'time'. */
  readonly y?: SweepQuantity
  /** The parameter across; its values must be numbers. Default: the first. */
  readonly x?: string
  /** Default: the names of the functions. */
  readonly title?: string
}

/**
 * Compares functions at each point of a grid of parameters (all combinations, the last one fastest), as `compare` does.
 *
 * @param parameters the values of each, by name
 * @param make functions and arguments of a point. It is called once per point
 * @param options as of `compare`, for each point; `seconds` (default 2) too
 * @throws ArgumentError for wrong parameters, and what `compare` throws
 *
 * @example
 * const result = await sweep({ n: [256, 1024, 4096] }, ({ n }) => ({ functions: { naive, fused }, args: [randn([n, n])] }))
 * console.log(result); writeFileSync('sweep.svg', result.toSvg({ y: 'bytesPerSecond' }))
 */
export async function sweep<const P extends SweepParameters>(
  parameters: P,
  make: (values: SweepValues<P>) => SweepCase,
  options: BenchmarkOptions = {},
): Promise<Sweep> {
  const points: SweepPoint[] = []
  for (const values of combinations(parameters)) {
    const { functions, args, ...stated } = caseOf(make, values as SweepValues<P>)
    const given = { seconds: 2, ...options, ...stated }
    const { record } = await compare(functions as SweepFunctions, args, given)
    points.push({ parameters: values, comparison: record })
  }
  return new Sweep(points)
}

function caseOf<V extends SweepValues<SweepParameters>>(make: (values: V) => SweepCase, values: V): SweepCase {
  const made: unknown = typeof make === 'function' ? make(values) : make
  if (typeof made === 'object' && made !== null && 'functions' in made) return made as SweepCase
  throw new ArgumentError(`sweep: the case of a point is ${describeAny(made)}`, {
    fix: 'give a function, not async: ({ n }) => ({ functions: { naive, fused }, args: [randn([n])] })',
  })
}

/** All combinations of the values, the last parameter's fastest. */
function combinations(parameters: SweepParameters): Readonly<Record<string, ParameterValue>>[] {
  const lists = typeof parameters === 'object' && parameters !== null ? Object.entries(parameters) : []
  const wrong = lists.find(([, values]) => !Array.isArray(values) || values.length === 0)
  if (lists.length === 0 || wrong !== undefined)
    throw new ArgumentError(
      wrong === undefined
        ? `sweep: the parameters are ${describeAny(parameters)}`
        : `sweep: the values of ${wrong[0]} are ${describeAny(wrong[1])}, not a list of some`,
      { fix: 'sweep({ n: [256, 1024, 4096] }, ({ n }) => …)' },
    )
  return lists.reduce<Readonly<Record<string, ParameterValue>>[]>(
    (points, [name, values]) => points.flatMap(point => values.map(value => ({ ...point, [name]: value }))),
    [{}],
  )
}

/** A function at a point. */
interface SweepRow {
  readonly point: SweepPoint
  readonly row: MeasurementRecord
}

/** Comparisons at the points of a grid. Printed, it is a table with a line per point. */
export class Sweep {
  /** The points, in order. */
  readonly points: readonly SweepPoint[]

  /** @param points what was measured */
  constructor(points: readonly SweepPoint[]) {
    this.points = points
  }

  /**
   * A table with a line per point and a column per function.
   * @param quantity what its cells are. Default 'time'
   * @throws ArgumentError for another quantity
   */
  toText(quantity: SweepQuantity = 'time'): string {
    return textTable(this.#columns(quantity), this.points)
  }

  /**
   * As `toText`, as a table of GitHub's Markdown.
   * @param quantity what its cells are. Default 'time'
   */
  toMarkdown(quantity: SweepQuantity = 'time'): string {
    return `${markdownTable(this.#columns(quantity), this.points)}\n`
  }

  /** Comma-separated values, a line per point and function: all that was measured, times in nanoseconds. */
  toCsv(): string {
    const rows = this.points.flatMap(point => point.comparison.rows.map((row): SweepRow => ({ point, row })))
    const parameters = this.#parameters.map((name): Column<SweepRow> => {
      const value = ({ point }: SweepRow): ParameterValue => point.parameters[name]!
      return { head: name, text: row => String(value(row)), data: { name, value } }
    })
    const measured = measurementColumns.map(({ head, text, data }): Column<SweepRow> => {
      const column = { head, text: ({ row }: SweepRow) => text(row) }
      return data === undefined ? column : { ...column, data: { name: data.name, value: ({ row }) => data.value(row) } }
    })
    return csvTable([...parameters, ...measured], rows)
  }

  /** Plain data for `JSON.stringify`. */
  toJSON(): readonly SweepPoint[] {
    return this.points
  }

  /**
   * A line plot as an SVG document: a line per function, and per combination of the other parameters. The bars are quartiles. The axis
   * across is logarithmic where its values are.
   *
   * @param options `y`: what is plotted (default 'time'); `x`: the parameter across (default: the first); `title`
   * @throws ArgumentError for an unknown parameter, or one whose values are not numbers
   */
  toSvg(options: SweepPlotOptions = {}): string {
    checkOptions('Sweep.toSvg', options, { y: quantityRule, x: oneOf(this.#parameters), title: anything })
    const { y = 'time', x = this.#parameters[0]! } = options
    const across = this.points.map(({ parameters }) => parameters[x])
    if (!across.every(value => typeof value === 'number'))
      throw new ArgumentError(`Sweep.toSvg: the values of '${x}' are ${describeAny(across)}, not numbers`, {
        fix: `give { x } as one of ${this.#parameters.map(name => `'${name}'`).join(', ')} that has numbers`,
      })
    const lines = this.#lines(x, quantities[y], y === 'time')
    return linePlotSvg({
      title: options.title ?? this.#functions.join(', '),
      xLabel: x,
      yLabel: quantities[y].label,
      logX: isGeometric(across),
      series: [...lines].map(([name, points]) => ({ name, points })),
    })
  }

  /** As `toText`. */
  toString(): string {
    return this.toText()
  }

  [inspectCustom](): string {
    return this.toText()
  }

  get #parameters(): readonly string[] {
    return Object.keys(this.points[0]!.parameters)
  }

  get #functions(): readonly string[] {
    return this.points[0]!.comparison.rows.map(({ name }) => name)
  }

  #columns(quantity: SweepQuantity): Column<SweepPoint>[] {
    checkOptions('Sweep', { quantity }, { quantity: quantityRule })
    const { value, text } = quantities[quantity]
    const cell = (name: string, { comparison }: SweepPoint): string => {
      const row = comparison.rows.find(each => each.name === name)
      const found = row === undefined ? null : value(row)
      return found === null ? '' : text(found)
    }
    return [
      ...this.#parameters.map(name => ({ head: name, text: ({ parameters }: SweepPoint) => String(parameters[name]) })),
      ...this.#functions.map(name => ({ head: name, text: (point: SweepPoint) => cell(name, point) })),
    ]
  }

  #lines(x: string, { value, unit }: Quantity, hasBars: boolean) {
    const lines = new Map<string, { x: number; y: number; low?: number; high?: number }[]>()
    for (const { parameters, comparison } of this.points) {
      const others = Object.entries(parameters).filter(([name]) => name !== x)
      for (const row of comparison.rows) {
        const name = [row.name, ...others.map(each => each.join('='))].join(' ')
        const y = value(row)
        const { lowerQuartile, upperQuartile } = timeOf(row)
        const bars = hasBars ? { low: lowerQuartile / unit, high: upperQuartile / unit } : {}
        const points = lines.get(name) ?? []
        if (y !== null) points.push({ x: parameters[x] as number, y: y / unit, ...bars })
        lines.set(name, points)
      }
    }
    return lines
  }
}

/** Whether the largest step between values is a multiple of the smallest, as of powers of two. */
function isGeometric(values: readonly number[]): boolean {
  const sorted = [...new Set(values)].sort((a, b) => a - b)
  if (sorted.length < 3 || sorted[0]! <= 0) return false
  const steps = sorted.slice(1).map((value, i) => value - sorted[i]!)
  return Math.max(...steps) > 1.9 * Math.min(...steps)
}
