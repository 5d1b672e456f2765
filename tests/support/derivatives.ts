/** Derivatives of sampled calls: by reverse mode, by forward mode, and by difference quotients. */
import { applyRecord, asValue, buildGraph } from '../../src/graph/apply.js'
import { flows, jvp, vjp } from '../../src/graph/derivatives/modes.js'
import { zerosLike } from '../../src/graph/derivatives/rule.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import { type GraphBuilder, type GraphNode, graphDialect, typeOf } from '../../src/graph/ir.js'
import type { HostTensor, OpRecord } from '../../src/graph/record.js'
import { verify } from '../../src/ir/verify.js'
import type { Value } from '../../src/scalar/ops.js'
import { type Dtype, isFloat, isFloat8 } from '../../src/types/dtype.js'
import { hostOf } from './record-graph.js'
import type { Sample } from './samples.js'
import { bindArguments, randomSpec } from './tensor-spec.js'

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

/** How many elements a sample's inputs have. */
export const elementsOf = ({ inputs }: Sample): number => inputs.reduce((sum, { data }) => sum + data.length, 0)

const isDouble = (node: GraphNode): boolean => typeOf(node).dtype === 'f64'

/** A sampled call as a function: its float64 results, of float64 inputs. */
export class Call {
  readonly inputs: readonly HostTensor[]
  readonly forward
  /** The results that are differentiated. */
  readonly counted: readonly number[]
  readonly weights: readonly HostTensor[]
  /** The inputs to which a gradient flows. */
  readonly wanted: readonly number[]

  constructor(
    readonly record: OpRecord,
    readonly sample: Sample,
  ) {
    this.inputs = sample.inputs.map(hostOf)
    this.forward = buildGraph(sample.inputs, [], (b, nodes) => this.apply(b, nodes))
    const { results, params } = this.forward.body
    this.counted = results.flatMap((result, i) => (isDouble(result) ? [i] : []))
    this.weights = this.counted.map(i =>
      hostOf(randomSpec(90 + i, 'f64', typeOf(results[i]!).shape as readonly number[])),
    )
    const reached = flows(
      this.counted.map(i => results[i]!),
      params,
    )
    this.wanted = this.inputs.flatMap((input, i) => (reached[i] && input.dtype === 'f64' ? [i] : []))
  }

  apply(b: GraphBuilder, nodes: readonly GraphNode[]): readonly GraphNode[] {
    const args = bindArguments(this.sample.args, i => asValue(nodes[i]!))
    return applyRecord(b, this.record, args)
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
    const graph = buildGraph([...this.sample.inputs, ...this.weights], [], (b, nodes) => {
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

  /** Σ weights · the tangents of the results, for these tangents of the wanted inputs. */
  forwardSlope(tangents: readonly HostTensor[]): number {
    const graph = buildGraph([...this.sample.inputs, ...tangents], [], (b, nodes) => {
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
    const between = (step: number): number =>
      (this.loss(this.movedBy(tangents, step)) - this.loss(this.movedBy(tangents, -step))) / (2 * step)
    const [far, near] = [between(2e-5), between(1e-5)]
    const size = Math.max(1, Math.abs(near), Math.abs(this.loss()))
    return Math.abs(far - near) < 1e-6 * size ? (4 * near - far) / 3 : null
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

/** Σ a · b. */
export const total = (as: readonly HostTensor[], bs: readonly HostTensor[]): number =>
  as.reduce((sum, a, i) => sum + a.data.reduce<number>((s, x, k) => s + Number(x) * Number(bs[i]!.data[k]!), 0), 0)
