/** One compiled version of a function: its guards, and how a call that passes them runs. */

import { variableRecord } from '../graph/derivatives/records.js'
import type { SizeSymbol } from '../graph/ir.js'
import { compileSize, type Size, type SizeFunction } from '../scalar/size.js'
import { type AutocastDtype, autocastDtype } from '../tensor/autocast.js'
import { isPlainLeaf } from '../tensor/autograd/history.js'
import { isRecording } from '../tensor/autograd/mode.js'
import { getGrad, setGrad } from '../tensor/autograd/properties.js'
import type { Float32MatmulPrecision } from '../tensor/precision.js'
import type { SymbolicNumber } from '../tensor/symbolic-number.js'
import type { Tensor } from '../tensor/tensor.js'
import { applyChange } from './capture/argument-state.js'
import {
  type ArgumentSlots,
  type ArgumentTree,
  type DescribedArguments,
  emptySlots,
  explainMismatch,
  matchArguments,
  slotPaths,
} from './capture/argument-tree.js'
import { type BoxedInput, BoxedNumbers, type BoxedScalar } from './capture/boxed-numbers.js'
import type { Capture, Outcome } from './capture/capture.js'
import { shareMemory } from './capture/overlap.js'
import { ResultMap, type ResultSource } from './capture/results.js'
import type { RandomDraw, Segment, SuppliedScalar, Tape } from './capture/segment.js'
import { rebuildTree, type TreeParts } from './capture/tree.js'
import { type WatchedContent, WatchedGuard } from './capture/watched-state.js'
import { recordSegment } from './differentiable.js'
import type { Runner } from './execute/executable.js'
import { Guards, type SizeCondition, type TensorGuard } from './guards/guards.js'
import type { Bindings } from './retrace/follow.js'
import { KnownCalls } from './retrace/known-calls.js'
import type { LiftEvent } from './retrace/trace-log.js'
import { sameValues } from './retrace/trace-match.js'

/** Placeholder for arguments between calls, so that an entry keeps no argument of an earlier call alive. */
const vacant = undefined as unknown as Tensor
const vacantNumber = undefined as unknown as SymbolicNumber
const nothing: readonly never[] = []

export interface EntryInput {
  readonly path: string
  /** null: an argument, or a gradient. */
  readonly tensor: Tensor | null
  /** The tensor that the argument must be, because the function closes over it too; null: any tensor. */
  readonly alias: Tensor | null
  /** Its number in the trace's log. */
  readonly value: number
  /** It is what `.grad` of this input holds; null: it is a tensor of its own. */
  readonly gradOf: number | null
}

/** What a call finds and leaves in `.grad` of an input. */
interface EntryGradient {
  readonly input: number
  /** Null: either way. */
  readonly wasNull: boolean | null
  /** By its index among the results; null: null. Undefined: it is not changed. */
  readonly result: number | null | undefined
}

/** An entry without its runner, as data: what `exportCompiled` writes. */
export interface EntryData extends Pick<Outcome, 'result' | 'changes'> {
  readonly args: ArgumentTree
  readonly guards: readonly TensorGuard[]
  readonly symbols: readonly SizeSymbol[]
  /** Arguments first, then the tensors that the function closes over. */
  readonly inputs: readonly EntryInput[]
  /** The input of each leaf of the arguments; leaves that were the same tensor share an input. */
  readonly inputOfLeaf: readonly number[]
  readonly grads: readonly EntryGradient[]
  /** What `autocast` was set to. */
  readonly autocast: AutocastDtype | null
  /** The inputs at which the graph's backward passes end: they may have no history and no hooks. */
  readonly ends: readonly number[]
  /** Whether gradients were recorded; null: no input requires one. */
  readonly recording: boolean | null
  /** Null: no gradient flows through it. */
  readonly tape: Tape | null
  /** The inputs that the graph writes to. */
  readonly written: readonly number[]
  readonly draws: readonly RandomDraw[]
  readonly supplied: readonly SuppliedScalar[]
  readonly results: readonly ResultSource[]
  /** The function reads sizes as numbers, so each combination of sizes (as of argument numbers) must be traced once. */
  readonly readsSizes: boolean
  /** Further conditions on sizes: pairs that are (not) equal, and (`facts`) sizes that are at least 0. */
  readonly conditions: readonly SizeCondition[]
  readonly facts: readonly Size[]
  readonly boxes: readonly BoxedInput[]
  readonly boxedScalars: readonly BoxedScalar[]
  /** Per boxed number among the arguments, the index of the first one that is the same box. */
  readonly boxOf: readonly number[]
  /** What it assumes of modules that the function uses. */
  readonly watched: WatchedContent
}

/** What is kept of a capture to check and bind later calls. */
export function entryData(
  { args, result, changes, grads, guards, segment, watched }: Capture,
  slots: ArgumentSlots,
  readsSizes: boolean,
): EntryData {
  const { inputs, graph, draws, supplied, results } = segment
  const lifts = liftsOf(segment)
  return {
    args,
    result,
    changes,
    guards: guards.tensors,
    symbols: graph.symbols,
    inputs: inputs.map(({ path, kind, tensor }, i) => {
      const { value, leaf } = lifts.ofInputs[i]!
      const own = kind === 'argument' || kind === 'grad' ? null : tensor
      const gradOf = leaf === undefined ? null : lifts.inputOf.get(leaf)!
      return { path, tensor: own, alias: lifts.aliases.get(value) ?? null, value, gradOf }
    }),
    grads: grads.map(({ leaf, wasNull, result }) => ({ input: lifts.inputOf.get(leaf)!, wasNull, result })),
    autocast: autocastDtype(),
    ends: segment.ends,
    recording: usesRecording(segment) || guards.tensors.some(({ requiresGrad }) => requiresGrad) ? isRecording() : null,
    inputOfLeaf: inputsOfLeaves(segment, slots),
    tape: segment.tape,
    written: [...new Set(graph.writeBacks.map(({ input }) => input))],
    draws,
    supplied,
    results,
    readsSizes,
    conditions: guards.conditions,
    facts: guards.facts,
    boxes: segment.boxed.inputs,
    boxedScalars: segment.boxed.scalars,
    boxOf: slots.boxes.map(box => slots.boxes.indexOf(box)),
    watched,
  }
}

export function inputsOfLeaves({ inputs }: Segment, { leaves }: ArgumentSlots): readonly number[] {
  const inputOf = firstIndices(inputs.map(({ tensor }) => tensor))
  return leaves.map(leaf => inputOf.get(leaf)!)
}

/** Where each value stands first. */
function firstIndices<T>(values: readonly T[]): ReadonlyMap<T, number> {
  const found = new Map<T, number>()
  for (const [i, value] of values.entries()) if (!found.has(value)) found.set(value, i)
  return found
}

/** Whether tensors of its own require gradients. */
const usesRecording = ({ log: { events } }: Segment): boolean =>
  events.some(event => event.kind === 'op' && event.record === variableRecord)

/** How tensors became inputs. Values are numbers in the log. */
export interface Lifts {
  readonly ofInputs: readonly LiftEvent[]
  readonly inputOf: ReadonlyMap<number, number>
  /** Arguments that the function closes over too. */
  readonly aliases: ReadonlyMap<number, Tensor | null>
}

export function liftsOf({ log }: Segment): Lifts {
  const lifts = log.events.filter(event => event.kind === 'lift')
  const ofInputs = lifts.filter(({ source }) => source !== 'alias') // in the order of inputs
  const aliases = new Map(lifts.flatMap(({ source, value, tensor }) => (source === 'alias' ? [[value, tensor]] : [])))
  return { ofInputs, inputOf: firstIndices(ofInputs.map(({ value }) => value)), aliases }
}

export class Entry {
  readonly guards: Guards
  readonly #slots = emptySlots()
  /** Arguments first (vacant between calls), then the tensors that the function closes over. */
  readonly #inputs: Tensor[]
  /** Empty between calls. */
  readonly #seen = new Set<unknown>()
  readonly #argumentInputs: number
  /** Arguments that must be a tensor that the function closes over too. */
  readonly #aliases: readonly { readonly input: number; readonly tensor: Tensor }[]
  readonly #results: ResultMap
  readonly #scalars: (number | bigint)[] = []
  readonly #boxes: BoxedNumbers
  readonly #drawn: readonly SizeFunction[]
  /** Traced calls by the numbers and sizes that the function may read; null: it reads none. */
  readonly #known: KnownCalls | null
  readonly #numbers: number
  /** The symbols that the function may read. */
  readonly #read: readonly number[]
  /** Conditions may combine numbers that a trace supplies with boxed numbers, so a known call must still be checked. */
  readonly #isOpen: boolean
  /** For the current call. */
  #bindings: Bindings | null = null
  /** Null: the function uses no modules. */
  readonly #watched: WatchedGuard | null
  readonly #parts: TreeParts & { results: readonly Tensor[]; assigned: readonly unknown[]; made: unknown[] }
  calls = 0

  constructor(
    readonly data: EntryData,
    readonly runner: Runner,
    /** The precision of f32 matmuls that its code uses; null: the code is the same for all precisions. */
    readonly precision: Float32MatmulPrecision | null = null,
  ) {
    this.guards = new Guards(data.guards, data.symbols, data.conditions, data.facts)
    this.#watched = data.watched.objects.length === 0 ? null : new WatchedGuard(data.watched)
    const watched = data.watched.objects.map(({ object }) => object)
    this.#parts = { ...this.#slots, watched, results: nothing, assigned: nothing, made: [] }
    this.#inputs = data.inputs.map(({ tensor }) => tensor ?? vacant)
    this.#aliases = data.inputs.flatMap(({ alias }, input) => (alias === null ? [] : [{ input, tensor: alias }]))
    this.#argumentInputs = data.inputs.filter(({ tensor, gradOf }) => tensor === null && gradOf === null).length
    const names = data.symbols.map(({ name }) => name)
    this.#results = new ResultMap(data.results, names)
    this.#boxes = new BoxedNumbers(data.boxes, data.boxedScalars, this.#scalars, names)
    this.#drawn = data.draws.map(({ elements }) =>
      compileSize(elements, name => {
        const index = names.indexOf(name)
        return symbols => symbols[index]!
      }),
    )
    this.#numbers = slotPaths(data.args, 'number').length
    this.#read = data.readsSizes ? [...data.symbols.keys()].filter(i => data.symbols[i]!.kind !== 'value') : []
    this.#isOpen = data.supplied.length > 0 && data.boxes.length > 0
    const reads = this.#numbers + this.#read.length
    this.#known = reads === 0 ? null : new KnownCalls(reads)
    this.#vacate()
  }

  /** True when the call passes every guard, and its numbers and sizes were traced before; `run` then runs it. */
  match(args: readonly unknown[]): boolean {
    if (!this.#meets(args)) return this.#refuse()
    const bindings = this.#known === null ? this.#base : this.#lookUp()
    if (bindings === null || !this.accepts(bindings)) return this.#refuse()
    this.#bindings = bindings
    return true
  }

  /** Whether the guards still pass with what a trace supplied: the call's boxed numbers may differ from the trace's. */
  accepts(bindings: Bindings): boolean {
    if (!this.#isOpen) return true
    this.#setSupplied(bindings)
    const { symbols } = this.guards
    return this.#boxes.derive(symbols) && this.guards.holds(symbols)
  }

  /** Starts the comparison of a trace with this version; null when the call fails the guards. `release` ends it. */
  begin(args: readonly unknown[]): { readonly described: DescribedArguments; readonly symbols: Float64Array } | null {
    if (!this.#meets(args)) {
      this.#vacate()
      return null
    }
    return { described: { tree: this.data.args, slots: this.#slots }, symbols: this.guards.symbols }
  }

  /** Stores what a trace of a call supplied, if the call passes the guards: such calls then match. */
  learn(args: readonly unknown[], bindings: Bindings): void {
    const meets = this.#meets(args)
    if (this.#known === null) this.#base = bindings
    else if (meets) {
      this.#setKey()
      this.#known.add(bindings)
    }
    this.#vacate()
  }

  /** How a trace of the call that `begin` accepted differs from the stored one; null: not at all. */
  contradicts({ numbers, assigned, constants }: Bindings): string | null {
    const known = this.#known === null ? this.#base : this.#lookUp()
    if (known === null) return 'sizes and numbers that are not known'
    const moved = numbers.findIndex((number, i) => !Object.is(number, known.numbers[i]))
    if (moved >= 0) return `a number that was ${known.numbers[moved]} is ${numbers[moved]} now`
    const input = this.data.inputs.find(({ value }) => {
      const [now, before] = [constants.get(value), known.constants.get(value)]
      return now !== before && (now === undefined || before === undefined || !sameValues(now, before))
    })
    if (input !== undefined) return `${input.path} has other values: ${constants.get(input.value)?.describe()}`
    const other = assigned.findIndex((value, i) => !Object.is(value, known.assigned[i]))
    return other < 0 ? null : 'it assigns another value'
  }

  /** Whether the modules that it uses hold what they held when it was traced. */
  get fitsModules(): boolean {
    return this.#watched === null || this.#watched.isPresent()
  }

  /** The traced numbers and sizes, with what each trace supplied. */
  get known(): readonly { readonly key: readonly number[]; readonly bindings: Bindings }[] {
    return this.#known === null ? [{ key: [], bindings: this.#base }] : this.#known.all
  }

  /** Loads the traced calls of an exported entry. */
  adopt(known: Entry['known']): void {
    for (const { key, bindings } of known) {
      if (this.#known === null) this.#base = bindings
      else {
        this.#known.key.set(key)
        this.#known.add(bindings)
      }
    }
  }

  #base: Bindings = { numbers: [], symbols: new Float64Array(), assigned: [], constants: new Map() }

  #meets(args: readonly unknown[]): boolean {
    return (
      matchArguments(this.data.args, args, this.#slots) &&
      (this.#watched === null || this.#watched.matches(this.#slots.objects)) &&
      this.#takeLeaves() &&
      this.#takeGrads() &&
      this.#isUnshared() &&
      this.#matchValues()
    )
  }

  /** Moves the gradients that the call reads to their inputs; false when there are others than at capture. */
  #takeGrads(): boolean {
    const { grads, inputs, recording, autocast } = this.data
    if (autocast !== autocastDtype()) return false
    if (recording !== null && recording !== isRecording()) return false
    for (let i = 0; i < grads.length; i++) {
      const { input, wasNull } = grads[i]!
      if (wasNull !== null && (getGrad(this.#inputs[input]!) === null) !== wasNull) return false
    }
    for (let i = this.#argumentInputs; i < inputs.length; i++) {
      const { gradOf } = inputs[i]!
      if (gradOf !== null) this.#inputs[i] = getGrad(this.#inputs[gradOf]!)!
    }
    return this.#endAtLeaves()
  }

  #endAtLeaves(): boolean {
    const { ends } = this.data
    for (let i = 0; i < ends.length; i++) if (!isPlainLeaf(this.#inputs[ends[i]!]!)) return false
    return true
  }

  #matchValues(): boolean {
    if (this.#isOpen) for (let i = 0; i < this.data.supplied.length; i++) this.#scalars[i] = Number.NaN
    return this.#boxes.read(this.#slots.boxes) && this.guards.match(this.#inputs, this.#boxes)
  }

  #lookUp(): Bindings | null {
    this.#setKey()
    return this.#known!.find()
  }

  #setKey(): void {
    const { key } = this.#known!
    for (let i = 0; i < this.#numbers; i++) key[i] = this.#slots.numbers[i]!
    const { symbols } = this.guards
    for (let i = 0; i < this.#read.length; i++) key[this.#numbers + i] = symbols[this.#read[i]!]!
  }

  /** Why the call fails the guards; null when it passes. */
  explain(args: readonly unknown[]): string | null {
    const mismatch = explainMismatch(this.data.args, args)
    if (mismatch !== null) return mismatch
    matchArguments(this.data.args, args, this.#slots)
    const changed = this.#watched?.explain(this.#slots.objects) ?? null
    const reason = changed ?? (this.#takeLeaves() ? this.#explainGrads() : this.#explainSharing())
    this.#vacate()
    return reason
  }

  #explainGrads(): string | null {
    if (this.#takeGrads())
      return this.#isUnshared() ? (this.#explainValues() ?? this.#explainNumbers()) : this.#explainSharing()
    const { recording, autocast, grads, inputs } = this.data
    if (autocast !== autocastDtype()) return `autocast was ${autocast ?? 'off'}, now it is ${autocastDtype() ?? 'off'}`
    if (recording !== null && recording !== isRecording())
      return `gradients were ${recording ? '' : 'not '}recorded, now they are${recording ? ' not' : ''}`
    const moved = grads.find(
      ({ input, wasNull }) => wasNull !== null && (getGrad(this.#inputs[input]!) === null) !== wasNull,
    )
    if (moved === undefined) return 'a backward pass ended at a tensor that has hooks now, or was computed'
    return `${inputs[moved.input]!.path}.grad was ${moved.wasNull ? 'null' : 'a tensor'}, now it is ${moved.wasNull ? 'a tensor' : 'null'}`
  }

  #explainSharing(): string {
    const moved = this.#aliases.find(({ input, tensor }) => this.#inputs[input] !== tensor)
    return moved === undefined
      ? 'arguments share tensors or objects in another way than when the function was captured'
      : `${this.data.inputs[moved.input]!.path} was a tensor that the function closes over too`
  }

  #explainValues(): string | null {
    const isRead = this.#boxes.read(this.#slots.boxes)
    const reason = isRead ? this.guards.explain(this.#inputs, this.#boxes) : null
    return reason ?? this.#boxes.explain(this.#slots.boxes, this.guards.symbols)
  }

  #explainNumbers(): string | null {
    if (this.#known === null || this.#lookUp() !== null) return null
    const paths = slotPaths(this.data.args, 'number')
    const last = this.#known.all.at(-1)
    const moved = paths.findIndex((_, i) => !Object.is(last?.key[i], this.#slots.numbers[i]))
    if (last === undefined || moved < 0) return 'sizes that the function reads have new values'
    return `${paths[moved]} was ${last.key[moved]}, now ${this.#slots.numbers[moved]}`
  }

  /** Runs the call that `match` accepted. Throws DisposedError for a disposed tensor. */
  run(name: string): unknown {
    this.calls++
    try {
      for (let i = 0; i < this.#inputs.length; i++) {
        if (this.#inputs[i]!.freed !== null) this.#inputs[i]!.requireAlive(name, this.data.inputs[i]!.path)
      }
      const bindings = this.#bindings!
      this.#bind(bindings)
      const { symbols } = this.guards
      const outputs = this.runner.run(this.#inputs, this.#scalars, symbols)
      const { result, changes, tape, written } = this.data
      for (let i = 0; i < written.length; i++) this.#inputs[written[i]!]!.storage(name).changed()
      if (tape !== null)
        recordSegment(tape, this.data.symbols, { inputs: this.#inputs, scalars: this.#scalars, symbols, outputs })
      const results = this.#results.pick(this.#inputs, outputs, symbols)
      this.#leaveGrads(results)
      if (result.kind === 'tensor' && changes.length === 0) return results[result.index]
      const parts = this.#parts
      parts.results = results
      parts.assigned = bindings.assigned
      const value = rebuildTree(result, parts)
      for (let i = 0; i < changes.length; i++) applyChange(changes[i]!, parts)
      return value
    } finally {
      this.#vacate()
    }
  }

  #leaveGrads(results: readonly Tensor[]): void {
    const { grads } = this.data
    for (let i = 0; i < grads.length; i++) {
      const { input, result } = grads[i]!
      if (result !== undefined) setGrad(this.#inputs[input]!, result === null ? null : results[result]!)
    }
  }

  /** Whether tensors of these sizes, by leaf of the arguments, can pass the guards. */
  allowsSizes(sizes: readonly (readonly number[])[]): boolean {
    const byInput: (readonly number[])[] = []
    for (const [leaf, input] of this.data.inputOfLeaf.entries()) byInput[input] = sizes[leaf]!
    return this.guards.allowsSizes(byInput)
  }

  /** Drops the references to the arguments of a call that `match` accepted and that will not run. */
  release(): void {
    this.#vacate()
  }

  #refuse(): false {
    this.#vacate()
    return false
  }

  #setSupplied({ numbers }: Bindings): void {
    const { supplied } = this.data
    for (let i = 0; i < supplied.length; i++) {
      this.#scalars[i] = numbers[i]!
      const { symbol } = supplied[i]!
      if (symbol !== null) this.guards.symbols[symbol] = Number(numbers[i])
    }
  }

  /** Sets the call's scalars, supplied sizes, random states and host data. */
  #bind(bindings: Bindings): void {
    const { draws, inputs } = this.data
    this.#setSupplied(bindings)
    for (let i = 0; i < draws.length; i++) {
      const { generator, scalar } = draws[i]!
      const { seed, offset } = generator.take(this.#drawn[i]!(this.guards.symbols))
      this.#scalars[scalar] = seed
      this.#scalars[scalar + 1] = offset
    }
    if (this.#known === null) return
    for (let i = this.#argumentInputs; i < inputs.length; i++) {
      const { value, tensor } = inputs[i]!
      if (tensor !== null) this.#inputs[i] = bindings.constants.get(value) ?? tensor
    }
  }

  /** Moves the leaves to their inputs; false when arguments share tensors or objects in another way than at capture. */
  #takeLeaves(): boolean {
    const places = this.data.inputOfLeaf
    const { leaves } = this.#slots
    for (let leaf = 0; leaf < places.length; leaf++) this.#inputs[places[leaf]!] = leaves[leaf]!
    for (let leaf = 0; leaf < places.length; leaf++) {
      if (this.#inputs[places[leaf]!] !== leaves[leaf]) return false
    }
    if (!this.#areDistinct()) return false
    for (let i = 0; i < this.#aliases.length; i++) {
      const { input, tensor } = this.#aliases[i]!
      if (this.#inputs[input] !== tensor) return false
    }
    const { boxOf } = this.data
    const { boxes } = this.#slots
    for (let i = 0; i < boxOf.length; i++) if (boxes[i] !== boxes[boxOf[i]!]) return false
    return true
  }

  #isUnshared(): boolean {
    return this.#changedObjectsAreUnshared() && (this.data.written.length === 0 || this.#writtenInputsAreDisjoint())
  }

  /** Whether tensors and objects that were different arguments at capture are different ones: the function may compare them. */
  #areDistinct(): boolean {
    const { objects } = this.#slots
    return (
      areDistinct(this.#inputs, this.#argumentInputs, this.#seen) && areDistinct(objects, objects.length, this.#seen)
    )
  }

  /** At capture, no object that the function changes stood in two places of the arguments. */
  #changedObjectsAreUnshared(): boolean {
    const { changes } = this.data
    const { objects } = this.#slots
    for (let i = 0; i < changes.length; i++) {
      const { object } = changes[i]!
      for (let other = 0; other < objects.length; other++) {
        if (other !== object && objects[other] === objects[object]) return false
      }
    }
    return true
  }

  /** The graph assumes that written inputs share no memory with other inputs. */
  #writtenInputsAreDisjoint(): boolean {
    const { written } = this.data
    if (haveOwnMemories(this.#inputs, this.#seen)) return true
    for (let k = 0; k < written.length; k++) {
      for (let i = 0; i < this.#inputs.length; i++) {
        if (i !== written[k] && shareMemory(this.#inputs[written[k]!]!, this.#inputs[i]!)) return false
      }
    }
    return true
  }

  #vacate(): void {
    for (let i = 0; i < this.#inputs.length; i++) if (this.data.inputs[i]!.tensor === null) this.#inputs[i] = vacant
    const { leaves, objects, boxes } = this.#slots
    for (let i = 0; i < leaves.length; i++) leaves[i] = vacant
    for (let i = 0; i < boxes.length; i++) boxes[i] = vacantNumber
    for (let i = 0; i < objects.length; i++) objects[i] = vacant
    this.#bindings = null
    this.#parts.results = nothing
    this.#parts.assigned = nothing
    if (this.#parts.made.length > 0) this.#parts.made.length = 0
  }
}

/** Up to so many values are compared in pairs, which is faster than a set of them. */
const maxPaired = 12

/** Whether many tensors are each in a memory of their own: faster than comparing pairs. `seen` is empty before and after. */
function haveOwnMemories(tensors: readonly Tensor[], seen: Set<unknown>): boolean {
  if (tensors.length <= maxPaired) return false
  for (let i = 0; i < tensors.length; i++) seen.add(tensors[i]!.source)
  const { size } = seen
  seen.clear()
  return size === tensors.length
}

/** Whether the first `count` of `values` are different ones. `seen` is empty before and after. */
function areDistinct(values: readonly unknown[], count: number, seen: Set<unknown>): boolean {
  if (count > maxPaired) {
    for (let i = 0; i < count; i++) seen.add(values[i])
    const { size } = seen
    seen.clear()
    return size === count
  }
  for (let i = 1; i < count; i++) {
    for (let j = 0; j < i; j++) if (values[i] === values[j]) return false
  }
  return true
}
