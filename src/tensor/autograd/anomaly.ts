/** Anomaly mode: the first op that gives NaN or an infinity of finite numbers is an error that names it and its line. */
import { describeAny } from '../../base/describe.js'
import { ArgumentError, GradientError } from '../../base/errors.js'
import { locationOf, takeTrace } from '../../base/source.js'
import { isFloat } from '../../types/dtype.js'
import { TensorHandle } from '../handle.js'
import { readTensor, requireTensorDtype } from '../host.js'
import type { Tensor } from '../tensor-type.js'
import type { OpArgument } from '../tracer.js'
import type { GradNode } from './history.js'

let isOn = false

/** Whether results are checked now. For the library. */
export const isDetectingAnomalies = (): boolean => isOn

/**
 * Checks each op from now on, forward and backward: one that gives NaN, or an infinity of finite inputs, throws GradientError.
 * It reads every result, so it is for debugging.
 *
 * @param enabled false: results are not checked, as at first
 */
export function setDetectAnomaly(enabled: boolean): void {
  if (typeof (enabled as unknown) !== 'boolean')
    throw new ArgumentError(`setDetectAnomaly: enabled is ${describeAny(enabled)}, not true or false`, {
      fix: 'setDetectAnomaly(true)',
    })
  isOn = enabled
}

/**
 * Runs `body` in anomaly mode: the first op, forward or backward, that gives NaN, or an infinity of finite inputs, throws
 * GradientError with its name and the line that called it. Each result is read, so this is for debugging.
 *
 * @param body a function without arguments; it may be async, and then the mode lasts until its promise settles
 * @returns what `body` gives
 */
export function detectAnomaly<R>(body: () => R): R {
  if (typeof (body as unknown) !== 'function')
    throw new ArgumentError(`detectAnomaly: the body is ${describeAny(body)}, not a function`, {
      fix: 'detectAnomaly(() => step(x))',
    })
  const before = isOn
  isOn = true
  let result: R | undefined
  try {
    result = body()
  } finally {
    if (!(result instanceof Promise)) isOn = before
  }
  if (!(result instanceof Promise)) return result
  return result.finally(() => {
    isOn = before
  }) as R
}

/** How deep the user's call may be below the op's node. */
const deepestCall = 60

/** Remembers the line that called the node's op. */
export function markPlace(node: GradNode): void {
  node.place = takeTrace(deepestCall)
}

/** Runs a node's ops, whose results are checked as the node's. */
export function unchecked<R>(body: () => R): R {
  const before = isOn
  isOn = false
  try {
    return body()
  } finally {
    isOn = before
  }
}

/** Throws GradientError when an op gave what its inputs do not explain. */
export function checkResults(op: string, inputs: readonly OpArgument[], results: readonly Tensor[]): void {
  const found = firstAnomaly(inputs, results)
  if (found === null) return
  throw new GradientError(`${op} gave ${found} of inputs that have none`, {
    fix: 'look at the values that it gets here',
  })
}

/** As `checkResults` for the gradients that a node gave. */
export function checkGradient(
  node: GradNode,
  arrived: readonly (Tensor | null)[],
  given: readonly (Tensor | null)[],
): void {
  if (!isOn) return
  const present = (tensors: readonly (Tensor | null)[]): Tensor[] => tensors.filter(tensor => tensor !== null)
  const found = firstAnomaly(present(arrived), present(given))
  if (found === null) return
  const at = node.place === null ? null : locationOf(node.place)
  throw new GradientError(`backward of ${node.name} gave ${found} of gradients that have none`, {
    at,
    fix:
      at === null
        ? 'run the forward pass in detectAnomaly too, to see its line'
        : 'look at the values that it gets here',
  })
}

type Oddity = 'NaN' | 'Infinity'

function firstAnomaly(inputs: readonly OpArgument[], results: readonly Tensor[]): string | null {
  for (const result of results) {
    const odd = oddityOf(result)
    if (odd === null) continue
    const before = inputs.map(oddityOf)
    if (!before.includes('NaN') && (odd === 'NaN' || !before.includes('Infinity')))
      return `${odd} in ${result.describe()}`
  }
  return null
}

/** The worst of the values. */
function oddityOf(value: OpArgument): Oddity | null {
  if (!(value instanceof TensorHandle)) return oddityIn([Number(value)])
  if (!isFloat(value.dtype)) return null
  const data = readTensor(
    value.storage('detectAnomaly'),
    requireTensorDtype(value.dtype, 'detectAnomaly'),
    value.layout,
  )
  return oddityIn(data as ArrayLike<number>)
}

function oddityIn(values: ArrayLike<number>): Oddity | null {
  let found: Oddity | null = null
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    if (Number.isNaN(value)) return 'NaN'
    if (!Number.isFinite(value)) found = 'Infinity'
  }
  return found
}
