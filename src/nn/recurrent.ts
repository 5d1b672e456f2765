/**
 * Recurrent layers over sequences: RNN, LSTM, GRU, with layers on each other, in both directions. The products with the
 * inputs of all steps are one matmul; what follows is a loop over the steps (recurrent-steps.ts).
 */
import { ArgumentError, ShapeError } from '../base/errors.js'
import { signature, takeArguments } from '../tensor/arguments.js'
import { arange, zeros } from '../tensor/create.js'
import { cat, linear, stack } from '../tensor/functions.js'
import type { SizeLike } from '../tensor/parameters.js'
import { dropout } from '../tensor/sampling.js'
import type { Tensor } from '../tensor/tensor.js'
import type { TensorDtype } from '../types/dtype.js'
import { uniform_ } from './init.js'
import { Layer, type LayerOptions, newParameter, type Placed, placed } from './layer.js'
import { type Lengths, lengthsTensor } from './lengths.js'
import type { Parameter } from './parameter.js'
import { overSteps, type Step } from './recurrent-steps.js'

/** Options of `Recurrent`. */
export interface RecurrentOptions extends LayerOptions {
  /** How many layers, each on the outputs of the one before. Default 1. */
  readonly numLayers?: number | undefined
  /** Default true. */
  readonly bias?: boolean | undefined
  /** Whether inputs and outputs are [N, T, …] instead of [T, N, …]. Default false. */
  readonly batchFirst?: boolean | undefined
  /** The probability of 0 in what layers pass on, in training. Default 0. */
  readonly dropout?: number | undefined
  /** Whether a second set of weights goes through the sequence backwards; outputs are joined. Default false. */
  readonly bidirectional?: boolean | undefined
}

/** Options of a call of a recurrent layer. */
export interface RecurrentCallOptions {
  /**
   * How many steps each sequence of the batch has, in any order: integers [N]. Behind its end a sequence's outputs are 0, and its
   * states stay; the other direction begins at the end. PyTorch's packed sequences. Default: all have all steps.
   */
  readonly lengths?: Lengths | null | undefined
}

/** Options of `RNN`. */
export interface RNNOptions extends RecurrentOptions {
  /** Default 'tanh'. */
  readonly nonlinearity?: 'tanh' | 'relu' | undefined
}

/** Options of `LSTM`. */
export interface LSTMOptions extends RecurrentOptions {
  /** If above 0, hidden states are projected to this size. Default 0. */
  readonly projSize?: number | undefined
}

const common =
  'inputSize: positive, hiddenSize: positive, numLayers: positive = 1, *, bias: bool = true, batchFirst: bool = false, dropout: number = 0, bidirectional: bool = false'
const rnnSignature = signature(`${common}, nonlinearity: 'tanh' | 'relu' = 'tanh', ${placed}` as const)
const lstmSignature = signature(`${common}, projSize: count = 0, ${placed}` as const)
const gruSignature = signature(`${common}, ${placed}` as const)

/** The weights of one layer in one direction. */
interface Weights {
  readonly weightIh: Tensor
  readonly weightHh: Tensor
  readonly biasIh: Tensor | null
  readonly biasHh: Tensor | null
  readonly weightHr: Tensor | null
}

interface Sizes extends Placed {
  readonly inputSize: number
  readonly hiddenSize: number
  readonly numLayers: number
  readonly bias: boolean
  readonly batchFirst: boolean
  readonly dropout: number
  readonly bidirectional: boolean
}

/** All weights and biases start uniform in ±1 / √hiddenSize. */
abstract class Recurrent extends Layer {
  /** Features of the input at each step. */
  readonly inputSize: number
  /** Features of the hidden state. */
  readonly hiddenSize: number
  /** How many layers are on each other. */
  readonly numLayers: number
  /** What is added at last, if anything. */
  readonly bias: boolean
  /** Whether the batch is the first dim. */
  readonly batchFirst: boolean
  /** What is dropped at random in training. */
  dropout: number
  /** Whether there are weights for the other direction, too. */
  readonly bidirectional: boolean
  /** The size that hidden states are projected to; 0: they are not. */
  readonly projSize: number

  constructor(name: string, gates: number, given: Sizes, projSize = 0) {
    super()
    const { hiddenSize, numLayers, dropout } = given
    if (!(dropout >= 0 && dropout <= 1)) {
      throw new ArgumentError(`${name}: dropout is ${dropout}`, { fix: 'use a probability, 0 to 1' })
    }
    if (projSize >= hiddenSize) {
      throw new ArgumentError(`${name}: projSize ${projSize} with hiddenSize ${hiddenSize}`, {
        fix: 'use a smaller one',
      })
    }
    this.inputSize = given.inputSize
    this.hiddenSize = hiddenSize
    this.numLayers = numLayers
    this.bias = given.bias
    this.batchFirst = given.batchFirst
    this.dropout = dropout
    this.bidirectional = given.bidirectional
    this.projSize = projSize
    for (let layer = 0; layer < numLayers; layer++) {
      for (let direction = 0; direction < this.directions; direction++) this.addWeights(gates, layer, direction, given)
    }
    this.resetParameters()
  }

  /** New initial values. */
  resetParameters(): void {
    const bound = 1 / Math.sqrt(this.hiddenSize)
    for (const parameter of this.parameters()) uniform_(parameter, -bound, bound)
  }

  protected get directions(): number {
    return this.bidirectional ? 2 : 1
  }

  /** The size of hidden states as they are passed on. */
  protected get outputSize(): number {
    return this.projSize > 0 ? this.projSize : this.hiddenSize
  }

  private addWeights(gates: number, layer: number, direction: number, where: Placed): void {
    const { hiddenSize, outputSize, projSize } = this
    const inputSize = layer === 0 ? this.inputSize : outputSize * this.directions
    const end = suffix(layer, direction)
    const fields = this as unknown as Record<string, Parameter>
    fields[`weightIh${end}`] = newParameter([gates * hiddenSize, inputSize], where)
    fields[`weightHh${end}`] = newParameter([gates * hiddenSize, outputSize], where)
    if (this.bias) {
      fields[`biasIh${end}`] = newParameter([gates * hiddenSize], where)
      fields[`biasHh${end}`] = newParameter([gates * hiddenSize], where)
    }
    if (projSize > 0) fields[`weightHr${end}`] = newParameter([projSize, hiddenSize], where)
  }

  private weightsOf(layer: number, direction: number): Weights {
    const end = suffix(layer, direction)
    const fields = this as unknown as Readonly<Record<string, Parameter | undefined>>
    return {
      weightIh: fields[`weightIh${end}`]!,
      weightHh: fields[`weightHh${end}`]!,
      biasIh: fields[`biasIh${end}`] ?? null,
      biasHh: fields[`biasHh${end}`] ?? null,
      weightHr: fields[`weightHr${end}`] ?? null,
    }
  }

  /** One step of one layer and direction: from the gates' share of the input and the states to the next states. */
  protected abstract step(weights: Weights): Step

  /** `initial`: of each kind of state [layers · directions, N, size], zeros by default; `sizes`: of each kind. */
  protected run(
    input: Tensor,
    initial: readonly Tensor[] | null,
    sizes: readonly number[],
    { lengths }: RecurrentCallOptions,
  ): readonly [output: Tensor, states: readonly Tensor[]] {
    if (input.ndim !== 2 && input.ndim !== 3) {
      throw new ShapeError(`${this.constructor.name}: the input is ${input.describe()}`, {
        fix: `pass ${this.batchFirst ? '[N, T, inputSize]' : '[T, N, inputSize]'}, or [T, inputSize]`,
      })
    }
    const isBatched = input.ndim === 3
    const swaps = this.batchFirst && isBatched
    const sequence = !isBatched ? input.unsqueeze(1) : swaps ? input.transpose(0, 1) : input
    const isInside = lengths == null ? null : insideOf(this.constructor.name, sequence, lengths)
    const given = initial?.map(state => (isBatched ? state : state.unsqueeze(1))) ?? null
    const finals: Tensor[][] = sizes.map(() => [])
    let output = sequence
    for (let layer = 0; layer < this.numLayers; layer++) {
      if (layer > 0 && this.training && this.dropout > 0) output = dropout(output, this.dropout)
      const parts: Tensor[] = []
      for (let direction = 0; direction < this.directions; direction++) {
        const place = layer * this.directions + direction
        const states = sizes.map(
          (size, kind) => given?.[kind]?.select(0, place) ?? newState([sequence.dim(1), size], sequence),
        )
        const [passed, last] = this.runDirection(output, layer, direction, states, isInside)
        parts.push(passed)
        for (const [kind, state] of last.entries()) finals[kind]!.push(state)
      }
      output = parts.length === 1 ? parts[0]! : cat(parts, -1)
    }
    const states = finals.map(each => stack(each, 0)).map(state => (isBatched ? state : state.squeeze(1)))
    return [!isBatched ? output.squeeze(1) : swaps ? output.transpose(0, 1) : output, states]
  }

  private runDirection(
    input: Tensor,
    layer: number,
    direction: number,
    states: readonly Tensor[],
    isInside: Tensor | null,
  ): readonly [Tensor, readonly Tensor[]] {
    const weights = this.weightsOf(layer, direction)
    const inTime = (x: Tensor): Tensor => (direction === 1 ? x.flip(0) : x)
    const gates = linear(inTime(input), weights.weightIh, weights.biasIh)
    const [output, last] = overSteps(gates, states, this.step(weights), isInside && inTime(isInside))
    return [inTime(output), last]
  }

  protected override hidden(): readonly string[] {
    return [
      ...(this.numLayers === 1 ? ['numLayers'] : []),
      ...(this.bias ? ['bias'] : []),
      ...(this.batchFirst ? [] : ['batchFirst']),
      ...(this.dropout === 0 ? ['dropout'] : []),
      ...(this.bidirectional ? [] : ['bidirectional']),
      ...(this.projSize === 0 ? ['projSize'] : []),
    ]
  }
}

const suffix = (layer: number, direction: number): string => `L${layer}${direction === 1 ? 'Reverse' : ''}`

/** The padding mask of a batch [T, N, *], bool [T, N, 1]: true at time steps before a sequence's length. Throws ShapeError for lengths outside of 0 to T. */
function insideOf(layer: string, sequence: Tensor, lengths: Lengths): Tensor {
  const [steps, count] = sequence.shape
  const given = lengthsTensor(lengths, { of: layer, name: 'lengths', count: count!, most: steps!, like: sequence })
  return arange(sequence.dim(0), { dtype: 'i64', device: sequence.device }).unsqueeze(1).lt(given).unsqueeze(2)
}

const newState = (size: readonly SizeLike[], like: Tensor): Tensor =>
  zeros(size, { dtype: like.dtype as TensorDtype, device: like.device })

/** h' = σ(x · Wᵢᵀ + h · Wₕᵀ), with tanh or ReLU. */
export class RNN extends Recurrent {
  /** 'tanh' or 'relu'. */
  readonly nonlinearity: 'tanh' | 'relu'

  constructor(inputSize: number, hiddenSize: number, options?: RNNOptions)
  constructor(inputSize: number, hiddenSize: number, numLayers: number, options?: RNNOptions)
  constructor(...args: readonly unknown[]) {
    const given = takeArguments('RNN', rnnSignature, args)
    super('RNN', 1, given)
    this.nonlinearity = given.nonlinearity
  }

  /**
   * @param input [T, N, inputSize] (with batchFirst [N, T, inputSize]), or [T, inputSize]
   * @param hx the first hidden states, [numLayers · directions, N, hiddenSize]; zeros by default
   * @param options see `RecurrentCallOptions`
   * @returns outputs of all steps, [T, N, directions · hiddenSize], and the last hidden states, as `hx`
   */
  forward(
    input: Tensor,
    hx: Tensor | null = null,
    options: RecurrentCallOptions = {},
  ): [output: Tensor, hidden: Tensor] {
    const [output, [hidden]] = this.run(input, hx === null ? null : [hx], [this.hiddenSize], options)
    return [output, hidden!]
  }

  protected step({ weightHh, biasHh }: Weights): Step {
    return (gates, [h]) => [simpleStep(this.nonlinearity, gates, linear(h!, weightHh, biasHh))]
  }
}

/** Hochreiter and Schmidhuber, 1997: gates i, f, g, o; c' = σ(f) · c + σ(i) · tanh(g), h' = σ(o) · tanh(c'). */
export class LSTM extends Recurrent {
  constructor(inputSize: number, hiddenSize: number, options?: LSTMOptions)
  constructor(inputSize: number, hiddenSize: number, numLayers: number, options?: LSTMOptions)
  constructor(...args: readonly unknown[]) {
    const given = takeArguments('LSTM', lstmSignature, args)
    super('LSTM', 4, given, given.projSize)
  }

  /**
   * @param input [T, N, inputSize] (with batchFirst [N, T, inputSize]), or [T, inputSize]
   * @param hx the first hidden and cell states, [numLayers · directions, N, size of each]; zeros by default
   * @param options see `RecurrentCallOptions`
   * @returns outputs of all steps, [T, N, directions · size], and the last states, as `hx`
   */
  forward(
    input: Tensor,
    hx: readonly [h: Tensor, c: Tensor] | null = null,
    options: RecurrentCallOptions = {},
  ): [output: Tensor, states: [h: Tensor, c: Tensor]] {
    const [output, [h, c]] = this.run(input, hx, [this.outputSize, this.hiddenSize], options)
    return [output, [h!, c!]]
  }

  protected step({ weightHh, biasHh, weightHr }: Weights): Step {
    return (gates, [h, c]) => {
      const [next, cell] = lstmStep(gates.add(linear(h!, weightHh, biasHh)), c!)
      return [weightHr === null ? next : linear(next, weightHr), cell]
    }
  }
}

/** Cho et al., arXiv:1406.1078: gates r, z, n; n = tanh(xₙ + σ(r) · hₙ), h' = (1 − σ(z)) · n + σ(z) · h. */
export class GRU extends Recurrent {
  constructor(inputSize: number, hiddenSize: number, options?: RecurrentOptions)
  constructor(inputSize: number, hiddenSize: number, numLayers: number, options?: RecurrentOptions)
  constructor(...args: readonly unknown[]) {
    super('GRU', 3, takeArguments('GRU', gruSignature, args))
  }

  /**
   * @param input [T, N, inputSize] (with batchFirst [N, T, inputSize]), or [T, inputSize]
   * @param hx the first hidden states, [numLayers · directions, N, hiddenSize]; zeros by default
   * @param options see `RecurrentCallOptions`
   * @returns outputs of all steps, [T, N, directions · hiddenSize], and the last hidden states, as `hx`
   */
  forward(
    input: Tensor,
    hx: Tensor | null = null,
    options: RecurrentCallOptions = {},
  ): [output: Tensor, hidden: Tensor] {
    const [output, [hidden]] = this.run(input, hx === null ? null : [hx], [this.hiddenSize], options)
    return [output, hidden!]
  }

  protected step({ weightHh, biasHh }: Weights): Step {
    return (gates, [h]) => [gruStep(gates, linear(h!, weightHh, biasHh), h!)]
  }
}

const simpleStep = (nonlinearity: 'tanh' | 'relu', ofInput: Tensor, ofHidden: Tensor): Tensor => {
  const sum = ofInput.add(ofHidden)
  return nonlinearity === 'tanh' ? sum.tanh() : sum.relu()
}

function lstmStep(gates: Tensor, c: Tensor): readonly [h: Tensor, c: Tensor] {
  const [i, f, g, o] = gates.chunk(4, -1) as [Tensor, Tensor, Tensor, Tensor]
  const cell = f.sigmoid().mul(c).add(i.sigmoid().mul(g.tanh()))
  return [o.sigmoid().mul(cell.tanh()), cell]
}

function gruStep(ofInput: Tensor, ofHidden: Tensor, h: Tensor): Tensor {
  const [xr, xz, xn] = ofInput.chunk(3, -1) as [Tensor, Tensor, Tensor]
  const [hr, hz, hn] = ofHidden.chunk(3, -1) as [Tensor, Tensor, Tensor]
  const n = xn.add(xr.add(hr).sigmoid().mul(hn)).tanh()
  return n.add(xz.add(hz).sigmoid().mul(h.sub(n)))
}

// --- cells -------------------------------------------------------------------------------------------------------------

/** Options of `Cell`. */
export interface CellOptions extends LayerOptions {
  /** Default true. */
  readonly bias?: boolean | undefined
}

/** Options of `RNNCell`. */
export interface RNNCellOptions extends CellOptions {
  /** Default 'tanh'. */
  readonly nonlinearity?: 'tanh' | 'relu' | undefined
}

const cell = 'inputSize: positive, hiddenSize: positive, *, bias: bool = true'
const cellSignature = signature(`${cell}, ${placed}` as const)
const rnnCellSignature = signature(`${cell}, nonlinearity: 'tanh' | 'relu' = 'tanh', ${placed}` as const)

abstract class Cell extends Layer {
  /** The weights of the input, of all gates. */
  weightIh: Parameter
  /** The weights of the hidden state, of all gates. */
  weightHh: Parameter
  /** The bias of the input, of all gates. */
  biasIh: Parameter | null
  /** The bias of the hidden state, of all gates. */
  biasHh: Parameter | null
  /** Features of the input at each step. */
  readonly inputSize: number
  /** Features of the hidden state. */
  readonly hiddenSize: number

  constructor(
    gates: number,
    given: { readonly inputSize: number; readonly hiddenSize: number; readonly bias: boolean } & Placed,
  ) {
    super()
    const { inputSize, hiddenSize, bias } = given
    this.inputSize = inputSize
    this.hiddenSize = hiddenSize
    this.weightIh = newParameter([gates * hiddenSize, inputSize], given)
    this.weightHh = newParameter([gates * hiddenSize, hiddenSize], given)
    this.biasIh = bias ? newParameter([gates * hiddenSize], given) : null
    this.biasHh = bias ? newParameter([gates * hiddenSize], given) : null
    this.resetParameters()
  }

  /** New initial values. */
  resetParameters(): void {
    const bound = 1 / Math.sqrt(this.hiddenSize)
    for (const parameter of this.parameters()) uniform_(parameter, -bound, bound)
  }

  protected ofInput(input: Tensor): Tensor {
    return linear(input, this.weightIh, this.biasIh)
  }

  protected ofHidden(h: Tensor): Tensor {
    return linear(h, this.weightHh, this.biasHh)
  }

  /** Zeros, of the input's batch. */
  protected zeroState(input: Tensor): Tensor {
    return newState(input.ndim === 1 ? [this.hiddenSize] : [input.dim(0), this.hiddenSize], input)
  }
}

/** One step of `RNN`. */
export class RNNCell extends Cell {
  /** 'tanh' or 'relu'. */
  readonly nonlinearity: 'tanh' | 'relu'

  constructor(inputSize: number, hiddenSize: number, options?: RNNCellOptions)
  constructor(...args: readonly unknown[]) {
    const given = takeArguments('RNNCell', rnnCellSignature, args)
    super(1, given)
    this.nonlinearity = given.nonlinearity
  }

  /** From `input` [N, inputSize] and `hx` [N, hiddenSize] (zeros by default), or without N, to the next hidden state. */
  forward(input: Tensor, hx: Tensor | null = null): Tensor {
    return simpleStep(this.nonlinearity, this.ofInput(input), this.ofHidden(hx ?? this.zeroState(input)))
  }
}

/** One step of `LSTM`. */
export class LSTMCell extends Cell {
  constructor(inputSize: number, hiddenSize: number, options?: CellOptions)
  constructor(...args: readonly unknown[]) {
    super(4, takeArguments('LSTMCell', cellSignature, args))
  }

  /** From `input` [N, inputSize] and `hx`, two states [N, hiddenSize] (zeros by default), or without N, to the next states. */
  forward(input: Tensor, hx: readonly [h: Tensor, c: Tensor] | null = null): [h: Tensor, c: Tensor] {
    const [h, c] = hx ?? [this.zeroState(input), this.zeroState(input)]
    return [...lstmStep(this.ofInput(input).add(this.ofHidden(h)), c)]
  }
}

/** One step of `GRU`. */
export class GRUCell extends Cell {
  constructor(inputSize: number, hiddenSize: number, options?: CellOptions)
  constructor(...args: readonly unknown[]) {
    super(3, takeArguments('GRUCell', cellSignature, args))
  }

  /** From `input` [N, inputSize] and `hx` [N, hiddenSize] (zeros by default), or without N, to the next hidden state. */
  forward(input: Tensor, hx: Tensor | null = null): Tensor {
    const h = hx ?? this.zeroState(input)
    return gruStep(this.ofInput(input), this.ofHidden(h), h)
  }
}
