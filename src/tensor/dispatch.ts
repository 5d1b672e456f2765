/**
 * Dispatches every op: to the tracer during a capture, else to the executor, which compiles and runs it. View ops on memory
 * need neither kernel nor executor. Calls on tensors that require gradients are recorded here (autograd/).
 */
import { copyPlain } from '../base/canonical.js'
import { describeAny } from '../base/describe.js'
import { ArgumentError, DeviceError, DtypeError, InternalError, ShapeError } from '../base/errors.js'
import { span, spanObserver } from '../base/spans.js'
import { parseCall } from '../graph/apply.js'
import type { Callee } from '../graph/bind.js'
import { findRecord, records } from '../graph/ops/index.js'
import { hasValueChecks, type ValueCheck, valueChecks } from '../graph/ops/value-checks.js'
import type { OpCall, OpRecord } from '../graph/record.js'
import { SymbolicShapeError, surelyDiffer, surelyEqual } from '../graph/sizes.js'
import type { Attrs } from '../ir/node.js'
import type { TensorMemory } from '../runtime/device.js'
import { type Size, SizeExpr, sameShape } from '../scalar/size.js'
import { type Dtype, isFloat, isInteger } from '../types/dtype.js'
import { maskColumns } from './advanced-index.js'
import { autocastDtype, autocastInputs } from './autocast.js'
import { checkResults, isDetectingAnomalies } from './autograd/anomaly.js'
import type { TensorOps } from './autograd/history.js'
import { recordWrite } from './autograd/in-place.js'
import { withRecording } from './autograd/mode.js'
import { needsGradient, recordCall } from './autograd/op-node.js'
import { changeDefaultDevice, type Device, type DeviceName, deviceOfName, getDefaultDevice } from './device.js'
import { TensorHandle } from './handle.js'
import { type DataArray, lineInPlace, readTensor, requireTensorDtype } from './host.js'
import { checksArguments, knownArguments, type Values } from './known-arguments.js'
import { elementCount, makeLayout, overlapsItself } from './layout.js'
import { type GivenCall, RecentArguments } from './recent-arguments.js'
import { outsideScopes } from './storage.js'
import { holdsNumbers, type PlainNumber, requireOwn, resolveNumbers, type SymbolicNumber } from './symbolic-number.js'
import type { Tensor } from './tensor-type.js'
import { currentTracer, type OpArgument, type TracedArgument, type Tracer } from './tracer.js'
import { viewOf } from './views.js'

/** Runs ops eagerly on one device. Implemented by compile/, the one inversion of the layers. */
export interface Executor {
  readonly memory: TensorMemory
  /**
   * Runs an op; one tensor per result, each with memory of its own. Inputs are alive and on this device. Lists in `attrs` are
   * the caller's, which may change them later.
   */
  run(record: OpRecord, inputs: readonly OpArgument[], attrs: Attrs): readonly Tensor[]
  /**
   * What `run` did for these, to be done again for inputs of the same dtypes, sizes and strides, at any offset, and for other
   * plain numbers of the same dtypes. Null: nothing that could be repeated.
   */
  recall(record: OpRecord, inputs: readonly OpArgument[], attrs: Attrs): Repeat | null
  /**
   * As `run`; result i is written into targets[i] if that is a tensor: of the same shape and dtype, aliasing no input and
   * no other target.
   */
  runInto(
    record: OpRecord,
    inputs: readonly OpArgument[],
    attrs: Attrs,
    targets: readonly (Tensor | null)[],
  ): readonly Tensor[]
  /** Writes `value` into `target`'s memory; same shape and dtype, any layouts, memory may overlap. */
  assign(target: Tensor, value: Tensor): void
}

/** Does for its inputs what was done for others like them. Null: a setting has changed, so it must be found out again. */
export type Repeat = (inputs: readonly OpArgument[]) => readonly Tensor[] | null

/** Throws DeviceError when this machine has no such device. */
type ExecutorOf = (device: Device) => Executor

let installed: ExecutorOf | null = null

/** What the last calls did. */
const recent = new RecentArguments<KnownCall>()

interface KnownCall {
  readonly repeat: Repeat
  readonly attrs: Attrs
}

export function setExecutors(executorOf: ExecutorOf): void {
  installed = executorOf
  recent.clear()
}

/** Throws DeviceError when this machine has no such device. */
export function executor(device: Device): Executor {
  if (installed === null) throw new InternalError('no executor: tensors need the compiler, import tegula itself')
  return installed(device)
}

/** The device called `name`. Throws DeviceError when this machine has none of that name. */
export function checkDevice(name: string, context: string): Device {
  const device = deviceOfName(name, context)
  if (device === 'cpu') return device
  try {
    executor(device)
  } catch (error) {
    if (!(error instanceof DeviceError)) throw error
    throw new DeviceError(`${context}: ${error.what}`, { fix: error.fix ?? undefined, cause: error })
  }
  return device
}

/**
 * Sets where creation functions make tensors when they are given no device.
 *
 * @param name 'cpu', 'cuda' (the first GPU), 'cuda:1', …
 * @throws DeviceError for a device that is not there
 */
export function setDefaultDevice(name: DeviceName): void {
  changeDefaultDevice(checkDevice(name, 'setDefaultDevice'))
}

/**
 * Applies an op to a user's arguments: binds them to its parameters, checks them, runs or records the op. `device`: for ops
 * that take no tensors; absent: the default device. `callee`: names the called function in errors.
 */
export function applyOp(
  record: OpRecord,
  args: readonly unknown[],
  device?: Device,
  callee: Callee = { name: record.name, isMethod: false },
): readonly Tensor[] {
  if (spanObserver === null || currentTracer() !== null) return applyNow(record, args, device, callee)
  return span('op', record.name, () => applyNow(record, args, device, callee), args)
}

function applyNow(
  record: OpRecord,
  args: readonly unknown[],
  device: Device | undefined,
  callee: Callee,
): readonly Tensor[] {
  const isOther = record.recordedAs !== undefined && needsGradient(args)
  const isEager = currentTracer() === null && !isDetectingAnomalies() && autocastDtype() === null && !isOther
  const known = isEager ? recent.find(record, args, device) : null
  const repeated = known === null ? null : known.value.repeat(known.inputs)
  if (known !== null && repeated !== null) {
    if (needsGradient(known.inputs)) recordCall(record, known.inputs, known.value.attrs, repeated, tensorOps)
    return repeated
  }
  const given = knownArguments(record, args, callee.name, values)
  const { inputs: taken, attrs } = takeCall(record, given, callee)
  const inputs = autocastInputs(record.name, taken, (tensor, dtype) => applyOp(records.to, [tensor, dtype])[0]!)
  const changed = record.changes?.(attrs) ?? noChanges
  if (changed.length === 0) {
    const results = dispatch(record, inputs, attrs, device)
    const followsFromArguments = given === args && !checksArguments(record)
    if (isEager && followsFromArguments) remember({ record, args, device }, inputs as readonly OpArgument[], attrs)
    return results
  }
  const targets = changed.map(at => requireTensor(record.name, inputs[at], `input ${at}`))
  for (const target of targets) checkTarget(record.name, target, target)
  const all = dispatch(record, inputs, attrs, device)
  const results = all.slice(0, all.length - targets.length)
  withRecording(false, () => {
    for (const [i, target] of targets.entries()) assignInPlace(record.name, target, all[results.length + i]!)
  })
  return results
}

const noChanges: readonly number[] = []

/** Remembers a call that has run. */
function remember(call: GivenCall, inputs: readonly OpArgument[], attrs: Attrs): void {
  const repeat = repeatOf(call, inputs, attrs)
  if (repeat !== null) recent.add(call, inputs, { repeat, attrs: copyPlain(attrs) as Attrs })
}

function repeatOf({ record, device }: GivenCall, inputs: readonly OpArgument[], attrs: Attrs): Repeat | null {
  const view = viewOf(record, inputs, attrs)
  if (view !== null) return ([input]) => [view(input as Tensor)]
  const usedDevice = checkDevices(record.name, inputs) ?? device ?? getDefaultDevice()
  const again = executor(usedDevice).recall(record, inputs, attrs)
  if (again === null) return null
  const { name } = record
  const checks = usedDevice === 'cpu' && hasValueChecks(name) ? checksOf(record, inputs, attrs) : noChecks
  return given => {
    if (checks.length > 0) checkValues(name, given, checks)
    const results = again(given)
    return results === null ? null : labelled(results, name)
  }
}

const noChecks: readonly ValueCheck[] = []

/** Names what made the memory of new tensors. */
function labelled(results: readonly Tensor[], name: string): readonly Tensor[] {
  for (let i = 0; i < results.length; i++) {
    const { source } = results[i]!
    if (source.kind === 'storage' && source.label === '') source.label = name
  }
  return results
}

export const isTensor = (value: unknown): boolean => value instanceof TensorHandle

/**
 * During a capture, reads go through the tracer, for closed-over tensors too, as their values may differ at the next call.
 */
const values: Values = {
  isTensor,
  read(tensor, reader) {
    requireTensor(reader, tensor, 'the tensor')
    const known = currentTracer()?.read(tensor, reader) ?? tensor
    return [...readTensor(known.storage(reader), requireTensorDtype(known.dtype, reader), known.layout)]
  },
  max: tensor => applyOp(records.max, [tensor])[0]!,
  columns: (name, x, dim, mask) => maskColumns(applyOp, name, x, dim, mask),
  isCheap: tensor => tensor.device === 'cpu' && currentTracer() === null,
}

const takeCall = (record: OpRecord, args: readonly unknown[], callee: Callee): OpCall<Attrs> =>
  withNumbers(
    args,
    given => parseCall(record, given, isTensor, callee),
    ({ attrs }) => !holdsTensor(attrs),
  )

/**
 * Applies `take` to a call's arguments with symbolic numbers resolved: outside of a capture to their values, inside to
 * sizes or inputs. One that must be known (a kernel size, an option) is read, and its value guarded. `fits`: whether the
 * result may contain the symbolic replacements.
 */
export function withNumbers<T>(
  args: readonly unknown[],
  take: (args: readonly unknown[]) => T,
  fits: (taken: T) => boolean,
): T {
  if (!args.some(holdsNumbers)) return take(args)
  const tracer = currentTracer()
  const read = (): T => take(args.map(arg => resolveNumbers(arg, number => number.valueOf())))
  if (tracer === null) return read()
  const symbolic = args.map(arg => resolveNumbers(arg, number => symbolicArgument(number, tracer)))
  try {
    const taken = take(symbolic)
    return fits(taken) ? taken : read()
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error
    return read()
  }
}

function symbolicArgument(number: SymbolicNumber, tracer: Tracer): PlainNumber | SizeExpr | Tensor {
  requireOwn(number, tracer)
  return tracer.numberArgument(number)
}

/** A symbolic number that is no size becomes a tensor; among the attributes it has to be known. */
const holdsTensor = (value: unknown): boolean =>
  value instanceof TensorHandle ||
  (typeof value === 'object' &&
    value !== null &&
    !(value instanceof SizeExpr) &&
    Object.values(value).some(holdsTensor))

/** Runs or records `record` on parsed inputs. Throws what the op's record throws. */
export function dispatch(
  record: OpRecord,
  inputs: readonly unknown[],
  attrs: Attrs,
  device?: Device,
): readonly Tensor[] {
  const checked = checkInputs(record.name, inputs)
  const usedDevice = checkDevices(record.name, checked) ?? device ?? getDefaultDevice()
  return applyChecked(record, checked, attrs, usedDevice)
}

/**
 * Applies an op and writes result i into targets[i] if that is a tensor: the caller guarantees that it has the result's
 * shape and dtype, and aliases no input and no other target. Gives the targets, or new tensors, in order.
 */
export function applyInto(
  record: OpRecord,
  args: readonly unknown[],
  targets: readonly (Tensor | null)[],
): readonly Tensor[] {
  const isRecorded = (): boolean => needsGradient(args.flat()) || needsGradient(targets)
  const isPlain = currentTracer() === null && autocastDtype() === null && !isRecorded()
  if (!isPlain || targets.every(target => target === null)) {
    const results = applyOp(record, args)
    for (const [i, target] of targets.entries()) if (target !== null) assignInPlace(record.name, target, results[i]!)
    return results.map((result, i) => targets[i] ?? result)
  }
  const { name } = record
  const { inputs, attrs } = takeCall(record, knownArguments(record, args, name, values), { name, isMethod: false })
  const checked = checkInputs(record.name, inputs)
  const usedDevice = checkDevices(record.name, [...checked, ...targets.filter(target => target !== null)])
  const known = requireKnown(checked)
  if (usedDevice === 'cpu' && hasValueChecks(record.name))
    checkValues(record.name, known, checksOf(record, known, attrs))
  const results = executor(usedDevice ?? getDefaultDevice()).runInto(record, known, attrs, targets)
  for (const target of targets) if (target?.source.kind === 'storage') target.source.changed()
  return results
}

/** Applies an op to checked inputs: recorded in a capture, else as a view or by a kernel. */
function applyChecked(
  record: OpRecord,
  given: readonly TracedArgument[],
  attrs: Attrs,
  device: Device,
): readonly Tensor[] {
  const tracer = currentTracer()
  if (tracer !== null) return heard(tracer, () => tracer.record(record, [...given], copyPlain(attrs) as Attrs, device))
  const inputs = requireKnown(given)
  const isRecorded = needsGradient(inputs)
  const ran = isRecorded ? recordedOp(record) : record
  const results = run(ran, inputs, attrs, device)
  if (isDetectingAnomalies()) checkResults(record.name, inputs, results)
  if (isRecorded) recordCall(ran, inputs, attrs, results, tensorOps)
  return ran === record ? results : results.slice(0, record.results?.length ?? 1)
}

/** The op that is run where gradients are recorded. */
function recordedOp(record: OpRecord): OpRecord {
  if (record.recordedAs === undefined) return record
  const other = findRecord(record.recordedAs)
  if (other === undefined)
    throw new InternalError(`${record.name} is recorded as '${record.recordedAs}', which is no op`)
  return other
}

function run(record: OpRecord, inputs: readonly OpArgument[], attrs: Attrs, device: Device): readonly Tensor[] {
  const view = viewOf(record, inputs, attrs)
  if (view !== null) return [view(inputs[0] as Tensor)]
  if (device === 'cpu' && hasValueChecks(record.name)) checkValues(record.name, inputs, checksOf(record, inputs, attrs))
  return labelled(executor(device).run(record, inputs, attrs), record.name)
}

/** One element of each dtype on each device. */
const placeholders = new Map<string, Tensor>()

/** What gradients are computed with: as users' calls, so that a pass may be recorded itself. */
export const tensorOps: TensorOps = {
  dispatch: (record, inputs, attrs) =>
    spanObserver === null || currentTracer() !== null
      ? dispatch(record, inputs, attrs)
      : span('op', record.name, () => dispatch(record, inputs, attrs), inputs),
  assign: assignInPlace,
  add: (a, b) => applyOp(records.add, [a, b])[0]!,
  copy: tensor => applyOp(records.clone, [tensor])[0]!,
  zeros: ({ dtype, layout, device }) => applyOp(records.full, [[...layout.shape], 0, { dtype }], device)[0]!,
  placeholder({ dtype, layout, device }) {
    const key = `${device} ${dtype}`
    let one = placeholders.get(key)
    if (one === undefined) {
      one = outsideScopes(() => applyOp(records.full, [[], 0, { dtype }], device)[0]!)
      placeholders.set(key, one)
    }
    return one.withLayout(layout.repeated)
  },
  empty({ dtype, device }, { shape, strides, elements }) {
    const last = elements === 0 ? 0 : shape.reduce((sum, size, d) => sum + (size - 1) * strides[d]!, 1)
    const [memory] = applyOp(records.full, [[last], 0, { dtype }], device)
    return memory!.withLayout(makeLayout(shape, strides, 0))
  },
}

/** Reports errors to the capture even if the user's function catches them, as unknown sizes may be the cause. */
function heard<R>(tracer: Tracer, body: () => R): R {
  try {
    return body()
  } catch (error) {
    tracer.refused(error)
    throw error
  }
}

/** Runs `body`; if it throws SymbolicShapeError, the capture may specialise sizes. */
export function withSizes<R>(body: () => R): R {
  const tracer = currentTracer()
  return tracer === null ? body() : heard(tracer, body)
}

function requireKnown(inputs: readonly TracedArgument[]): readonly OpArgument[] {
  for (const input of inputs)
    if (input instanceof SizeExpr) throw new InternalError(`the size ${input} outside of a capture`)
  return inputs as readonly OpArgument[]
}

/** Throws ArgumentError for an index out of range and an integer divided by zero (value-checks.ts). */
function checkValues(name: string, inputs: readonly OpArgument[], checks: readonly ValueCheck[]): void {
  for (const { input, accepts, takes, what, fix } of checks) {
    const tensor = inputs[input]
    if (!(tensor instanceof TensorHandle) || !isInteger(tensor.dtype)) continue
    if (accepts !== undefined && isAccepted(name, tensor, accepts)) continue
    const values = valuesOf(name, tensor)
    for (let i = 0; i < values.length; i++) {
      if (!takes(Number(values[i]))) throw new ArgumentError(what(Number(values[i])), { fix })
    }
  }
}

/** The values of a tensor of integers, in place where they are stored one after another. */
function valuesOf(name: string, tensor: TensorHandle): DataArray {
  const { layout } = tensor
  const dtype = requireTensorDtype(tensor.dtype, name)
  const storage = tensor.storage(name)
  const stored = layout.isContiguous ? lineInPlace(storage, dtype, layout) : null
  return (stored ?? readTensor(storage, dtype, layout)) as DataArray
}

/** From so many values on, a kernel looks at them sooner than this thread. */
const manyValues = 65_536

/** Whether all values are certain to be accepted. */
function isAccepted(name: string, tensor: TensorHandle, accepts: NonNullable<ValueCheck['accepts']>): boolean {
  if (elementCount(tensor.shape) < manyValues) {
    const values = valuesOf(name, tensor)
    if (accepts !== 'all but 0') return liesIn(values, accepts)
    return values instanceof BigInt64Array ? !values.includes(0n) : !values.includes(0)
  }
  const found = accepts === 'all but 0' ? applyOp(records.all, [tensor]) : applyOp(records.aminmax, [tensor])
  const [first, last] = found.map(result => Number(valuesOf(name, result as TensorHandle)[0])) as [number, number?]
  for (const result of found) result.dispose()
  return accepts === 'all but 0' ? first !== 0 : first >= accepts[0] && last! <= accepts[1]
}

function checksOf(record: OpRecord, inputs: readonly OpArgument[], attrs: Attrs): readonly ValueCheck[] {
  const seen = inputs.map(input => (input instanceof TensorHandle ? { dtype: input.dtype, shape: input.shape } : null))
  return valueChecks(record.name, seen, attrs)
}

/** Whether all values are certain to be in an interval. An i64 is read as two words: bigints are slow. */
function liesIn(values: DataArray, [least, most]: readonly [number, number]): boolean {
  if (!(values instanceof BigInt64Array)) return values.every((value: number) => value >= least && value <= most)
  const words = new Int32Array(values.buffer, values.byteOffset, 2 * values.length)
  const isSmall = Math.max(-least, most) < 2 ** 31
  return isSmall ? wordsLieIn(words, least, most) : widerWordsLieIn(words, least, most)
}

/** For limits that a word holds: the high word of what lies between them repeats the sign of the low one. */
function wordsLieIn(words: Int32Array, least: number, most: number): boolean {
  for (let i = 0; i < words.length; i += 2) {
    const low = words[i]!
    if (words[i + 1] !== low >> 31 || low < least || low > most) return false
  }
  return true
}

function widerWordsLieIn(words: Int32Array, least: number, most: number): boolean {
  for (let i = 0; i < words.length; i += 2) {
    const value = words[i + 1]! * 2 ** 32 + (words[i]! >>> 0)
    if (value < least || value > most) return false
  }
  return true
}

/** The inputs, as they are. Throws as `requireTensor`, and ArgumentError for what is no input of an op. */
function checkInputs(op: string, inputs: readonly unknown[]): readonly TracedArgument[] {
  for (let i = 0; i < inputs.length; i++) checkInput(op, inputs[i], i)
  return inputs as readonly TracedArgument[]
}

function checkInput(op: string, input: unknown, index: number): void {
  if (input instanceof TensorHandle) {
    if (input.freed !== null || input.source.kind === 'traced') requireTensor(op, input, `input ${index}`)
    return
  }
  if (typeof input === 'number' || typeof input === 'boolean' || typeof input === 'bigint') return
  if (input instanceof SizeExpr) return
  throw new ArgumentError(`${op}: input ${index} is ${describeAny(input)}, not a tensor or a number`, {
    fix: 'make a tensor of it: tensor([…])',
  })
}

/** Throws ArgumentError when `input` is no tensor, or one of another capture; DisposedError when it was freed. */
export function requireTensor(op: string, input: unknown, role: string): Tensor {
  if (!(input instanceof TensorHandle)) {
    throw new ArgumentError(`${op}: ${role} is ${describeAny(input)}, not a tensor`, {
      fix: 'make a tensor of it: tensor([…])',
    })
  }
  input.requireAlive(op, role)
  input.requireInCapture(op)
  return input as Tensor
}

/** The device of the tensors among the inputs; null when there are none. Throws DeviceError when they have several. */
function checkDevices(op: string, inputs: readonly TracedArgument[]): Device | null {
  let found: Device | null = null
  for (let i = 0; i < inputs.length; i++) {
    const input = inputs[i]!
    if (!(input instanceof TensorHandle)) continue
    const { device } = input
    if (found !== null && device !== found) throw differentDevices(op, inputs, found)
    found = device
  }
  return found
}

function differentDevices(op: string, inputs: readonly TracedArgument[], first: Device): DeviceError {
  const tensors = inputs.filter(input => input instanceof TensorHandle)
  const described = tensors.map(tensor => `${tensor.describe()} on ${tensor.device}`).join(', ')
  return new DeviceError(`${op}: tensors on different devices: ${described}`, {
    fix: `move them to one device: x.to('${first}')`,
  })
}

/** Writes `value` into `target` (broadcast and cast to it). Throws ShapeError or DtypeError when it does not fit. */
export function assignInPlace(op: string, target: Tensor, value: Tensor): void {
  requireTensor(op, target, 'the tensor')
  checkDevices(op, [target, value])
  if (!assignable(value.dtype, target.dtype)) {
    throw new DtypeError(`${op}: the result is ${value.dtype}, which ${target.dtype} cannot represent`, {
      fix: `use the op that is not in place, or cast: x.to('${value.dtype}')`,
    })
  }
  const tracer = currentTracer()
  if (tracer === null) checkTarget(op, target, value)
  else heard(tracer, () => checkTarget(op, target, value))
  const same = sameShape(target.sizes, value.sizes) ? value : applyOp(records.expand, [value, target.sizes])[0]!
  const fitted = same.dtype === target.dtype ? same : applyOp(records.to, [same, target.dtype])[0]!
  if (tracer === null)
    recordWrite(op, target, value, fitted, tensorOps, () => executor(target.device).assign(target, fitted))
  else heard(tracer, () => tracer.assign(op, target, fitted))
}

function checkTarget(op: string, target: Tensor, value: Tensor): void {
  const lead = target.ndim - value.ndim
  const pairs = lead < 0 ? [] : value.sizes.map((size, d): readonly [Size, Size] => [size, target.sizes[lead + d]!])
  const unequal = pairs.filter(([size, wanted]) => size !== 1 && !surelyEqual(size, wanted))
  if (unequal.length > 0 && !unequal.some(([size, wanted]) => surelyDiffer(size, wanted))) {
    throw new SymbolicShapeError(
      `${op}: ${value.describe()} is not known to fit into ${target.describe()}`,
      unequal.flat(),
    )
  }
  if (lead < 0 || unequal.length > 0) {
    throw new ShapeError(`${op}: the result is ${value.describe()}, the tensor ${target.describe()}`, {
      fix: 'an in-place op cannot grow its tensor: use the op that is not in place',
    })
  }
  if (target.source.kind === 'storage' && overlapsItself(target.layout)) {
    throw new ShapeError(`${op}: several elements of ${target.describe()} share memory (it was expanded)`, {
      fix: 'write into a clone()',
    })
  }
}

/** As PyTorch: a float result does not go into an integer tensor, nor a number into a bool one. */
function assignable(from: Dtype, to: Dtype): boolean {
  if (isFloat(from)) return isFloat(to)
  return from === 'bool' || to !== 'bool'
}
