/** Derivatives of sampled calls and other functions: by reverse mode, by forward mode, and by difference quotients. */
import { applyRecord, asValue, buildGraph } from '../../src/graph/apply.js'
import { flows, jvp, vjp } from '../../src/graph/derivatives/modes.js'
import { zerosLike } from '../../src/graph/derivatives/rule.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import { type GraphBuilder, type GraphNode, graphDialect, typeOf } from '../../src/graph/ir.js'
import { type RecordName, recordTable } from '../../src/graph/ops/index.js'
import type { HostTensor, OpRecord } from '../../src/graph/record.js'
import { verify } from '../../src/ir/verify.js'
import type { Value } from '../../src/scalar/ops.js'
import { type Dtype, isFloat, isFloat8 } from '../../src/types/dtype.js'
import { hostOf } from './record-graph.js'
import { type Sample, samplesFor } from './samples.js'
import { bindArguments, randomSpec, type TensorSpec } from './tensor-spec.js'

const isNumberDtype = (dtype: Dtype): boolean => isFloat(dtype) && !isFloat8(dtype)

/**
 * The sample in float64, where difference quotients are accurate, with integers moved away from ties and kinks; null: it has
 * special values, or no floats.
 */
export function inDouble(sample: Sample): Sample | null {
  const isRegular = sample.inputs.every(
    ({ dtype, data }) => !isNumberDtype(dtype) || data.every(x => Number.isFinite(Number(x))),
  )
  if (!isRegular || !sample.inputs.some(({ dtype }) => isNumberDtype(dtype))) return null
  const inputs = sample.inputs.map((input, i) => {
    if (!isNumberDtype(input.dtype)) return input
    const noise = randomSpec(50 + i, 'f64', input.shape, { low: 0.01, high: 0.09 }).data
    const seen = new Set<Value>()
    const data = input.data.map((x, k) => {
      const isTied = seen.has(x)
      seen.add(x)
      return isTied || Number.isInteger(x) ? Number(x) + Number(noise[k]!) : x
    })
    return { ...input, dtype: 'f64' as const, data }
  })
  return { ...sample, inputs }
}

/** How many elements the inputs have. */
export const elementsOf = ({ inputs }: { readonly inputs: readonly { readonly data: readonly Value[] }[] }): number =>
  inputs.reduce((sum, { data }) => sum + data.length, 0)

/** A function of graph nodes as one of numbers: results and inputs of the dtypes that `counts` chooses. */
export class Differentiated {
  readonly inputs: readonly HostTensor[]
  readonly forward
  /** The results that are differentiated. */
  readonly counted: readonly number[]
  readonly weights: readonly HostTensor[]
  /** The inputs to which a gradient flows. */
  readonly wanted: readonly number[]

  constructor(
    specs: readonly TensorSpec[],
    readonly apply: (b: GraphBuilder, nodes: readonly GraphNode[]) => readonly GraphNode[],
    counts: (dtype: Dtype) => boolean = dtype => dtype === 'f64',
  ) {
    this.inputs = specs.map(hostOf)
    this.forward = buildGraph(specs, [], apply)
    const { results, params } = this.forward.body
    const isReached = (node: GraphNode): boolean => flows([node], params).includes(true)
    this.counted = results.flatMap((result, i) => (counts(typeOf(result).dtype) && isReached(result) ? [i] : []))
    this.weights = this.counted.map(i =>
      hostOf(randomSpec(90 + i, typeOf(results[i]!).dtype, typeOf(results[i]!).shape as readonly number[])),
    )
    const reached = flows(
      this.counted.map(i => results[i]!),
      params,
    )
    this.wanted = this.inputs.flatMap((input, i) => (reached[i] && counts(input.dtype) ? [i] : []))
  }

  /** Whether the results are numbers of which slopes can be measured. */
  get isSmooth(): boolean {
    return this.counted.length > 0 && this.wanted.length > 0
  }

  results(inputs = this.inputs): readonly HostTensor[] {
    const all = interpretGraph(this.forward, inputs)
    return this.counted.map(i => all[i]!)
  }

  /** Σ weights · results. */
  loss(inputs = this.inputs): number {
    return total(this.results(inputs), this.weights)
  }

  /** The gradients of the loss for the wanted inputs. */
  reverse(inputs = this.inputs): readonly HostTensor[] {
    const graph = buildGraph([...this.inputs, ...this.weights], [], (b, nodes) => {
      const outputs = this.apply(b, nodes)
      const gradients = vjp(b, {
        outputs: this.counted.map(i => outputs[i]!),
        cotangents: nodes.slice(this.inputs.length),
        inputs: this.wanted.map(i => nodes[i]!),
      })
      return gradients.map(gradient => gradient!)
    })
    verify(graphDialect, graph.body)
    return interpretGraph(graph, [...inputs, ...this.weights])
  }

  /** The gradients of Σ `along` · gradients of the loss: those of the wanted inputs again. */
  second(along: readonly HostTensor[]): readonly HostTensor[] {
    const graph = buildGraph([...this.inputs, ...this.weights, ...along], [], (b, nodes) => {
      const outputs = this.apply(b, nodes)
      const [count, wanted] = [this.inputs.length, this.wanted.map(i => nodes[i]!)]
      const first = vjp(b, {
        outputs: this.counted.map(i => outputs[i]!),
        cotangents: nodes.slice(count, count + this.weights.length),
        inputs: wanted,
      })
      const gradients = first.map(gradient => gradient!)
      const cotangents = nodes.slice(count + this.weights.length)
      return vjp(b, { outputs: gradients, cotangents, inputs: wanted }).map((x, i) => x ?? zerosLike(b, wanted[i]!))
    })
    return interpretGraph(graph, [...this.inputs, ...this.weights, ...along])
  }

  /** Σ weights · the tangents of the results, for these tangents of the wanted inputs. */
  forwardSlope(tangents: readonly HostTensor[]): number {
    const graph = buildGraph([...this.inputs, ...tangents], [], (b, nodes) => {
      const outputs = this.apply(b, nodes)
      const chosen = this.counted.map(i => outputs[i]!)
      const found = jvp(b, {
        outputs: chosen,
        inputs: this.wanted.map(i => nodes[i]!),
        tangents: nodes.slice(this.inputs.length),
      })
      return found.map((tangent, i) => tangent ?? zerosLike(b, chosen[i]!))
    })
    verify(graphDialect, graph.body)
    return total(interpretGraph(graph, [...this.inputs, ...tangents]), this.weights)
  }

  /** The slope of the loss along the tangents of the wanted inputs; null: too close to a kink or a pole to be measured. */
  measuredSlope(tangents: readonly HostTensor[]): number | null {
    return measured(by => this.loss(this.movedBy(tangents, by)))
  }

  /** As `measuredSlope`, of Σ `along` · gradients. */
  measuredSecond(along: readonly HostTensor[], tangents: readonly HostTensor[]): number | null {
    return measured(by => total(this.reverse(this.movedBy(tangents, by)), along))
  }

  movedBy(tangents: readonly HostTensor[], by: number): readonly HostTensor[] {
    return this.inputs.map((input, i) => {
      const at = this.wanted.indexOf(i)
      if (at < 0) return input
      return { ...input, data: input.data.map((x, k) => Number(x) + by * Number(tangents[at]!.data[k]!)) }
    })
  }

  /** Tangents of the wanted inputs. */
  tangents(seed: number): readonly HostTensor[] {
    return this.wanted.map(i => hostOf(randomSpec(seed + i, 'f64', this.inputs[i]!.shape)))
  }
}

/** A sampled call of an op. */
export class Call extends Differentiated {
  constructor(
    readonly record: OpRecord,
    readonly sample: Sample,
  ) {
    super(sample.inputs, (b, nodes) =>
      applyRecord(
        b,
        record,
        bindArguments(sample.args, i => asValue(nodes[i]!)),
      ),
    )
  }
}

/** The slope at 0; null where it differs between two distances, or between both sides. */
function measured(f: (by: number) => number): number | null {
  const middle = f(0)
  const step = 1e-5
  const [before, after] = [middle - f(-step), f(step) - middle].map(rise => rise / step) as [number, number]
  const near = (before + after) / 2
  const far = (f(2 * step) - f(-2 * step)) / (4 * step)
  const size = Math.max(1, Math.abs(near), Math.abs(middle))
  const isStraight = Math.abs(far - near) < 1e-6 * size && Math.abs(after - before) < 1e-2 * size
  return isStraight ? (4 * near - far) / 3 : null
}

/** Σ a · b. */
export const total = (as: readonly HostTensor[], bs: readonly HostTensor[]): number =>
  as.reduce((sum, a, i) => sum + a.data.reduce<number>((s, x, k) => s + Number(x) * Number(bs[i]!.data[k]!), 0), 0)

/** Up to `count` calls of an op whose slopes can be measured, smaller ones first, of at most `elements` elements but for one. */
export function callsOf(name: RecordName, count: number, elements: number): readonly Call[] {
  const samples = samplesFor(name)
    .flatMap(sample => inDouble(sample) ?? [])
    // Scaling the rows of the table counts as a change before, as in PyTorch, not as a part of the function.
    .filter(sample => !sample.name.includes('maxNorm'))
    .sort((a, b) => elementsOf(a) - elementsOf(b))
  const calls: Call[] = []
  for (const sample of samples) {
    if (calls.length === count || (calls.length > 0 && elementsOf(sample) > elements)) break
    if (elementsOf(sample) < 2 && samples.length > 1 && count < samples.length) continue
    const call = new Call(recordTable[name], sample)
    if (call.isSmooth && Number.isFinite(call.loss())) calls.push(call)
  }
  return calls
}

/** Gives what is wrong with the derivatives, or null; whether they could be measured. */
export function problemWith(
  call: Differentiated,
  order: 1 | 2 = 1,
): { readonly problem: string | null; readonly isMeasured: boolean } {
  const gradients = call.reverse()
  const shapes = call.wanted.map(i => call.inputs[i]!.shape.join())
  const isMeasured = elementsOf(call) > 0
  if (gradients.some(({ shape }, i) => shape.join() !== shapes[i])) return { problem: 'shapes', isMeasured }
  if (!isMeasured) return { problem: null, isMeasured }
  const tangents = call.tangents(7)
  const reverse = total(gradients, tangents)
  const forward = call.forwardSlope(tangents)
  const slope = call.measuredSlope(tangents)
  const size = Math.max(1, Math.abs(reverse), Math.abs(call.loss()))
  // At a kink the two modes may take different sides.
  if (slope === null) return { problem: null, isMeasured: false }
  if (!(Math.abs(reverse - forward) < 1e-8 * size))
    return { problem: `reverse ${reverse}, forward ${forward}`, isMeasured }
  if (!(Math.abs(reverse - slope) < 1e-6 * size))
    return { problem: `reverse ${reverse}, measured ${slope}`, isMeasured }
  if (order === 1) return { problem: null, isMeasured }
  const along = call.tangents(11)
  const wanted = call.measuredSecond(along, tangents)
  if (wanted === null) return { problem: null, isMeasured: false }
  const second = total(call.second(along), tangents)
  const isClose = Math.abs(second - wanted) < 1e-5 * Math.max(1, Math.abs(wanted), Math.abs(reverse))
  return { problem: isClose ? null : `second ${second}, measured ${wanted}`, isMeasured }
}
