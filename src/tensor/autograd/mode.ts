/** Whether ops are recorded for gradients. As in PyTorch it is a state of the process, which `noGrad` and its like set for a call. */
import { describeAny } from '../../base/describe.js'
import { ArgumentError } from '../../base/errors.js'
import { requireSynchronous } from '../../base/synchronous.js'

interface Mode {
  readonly grad: boolean
  readonly inference: boolean
}

let mode: Mode = { grad: true, inference: false }

/** Whether ops on tensors that require gradients are recorded now: true, but in `noGrad` and after `setGradEnabled(false)`. */
export const isGradEnabled = (): boolean => mode.grad

/** Whether ops are recorded now. In inference mode none is, whatever the gradient mode. For the library. */
export const isRecording = (): boolean => mode.grad && !mode.inference

/** Whether new tensors are inference tensors. For the library. */
export const isInference = (): boolean => mode.inference

/**
 * Sets whether ops are recorded from now on, or until the end of the `noGrad`, `enableGrad` or `inferenceMode` around.
 *
 * @param enabled true: they are recorded, as at first
 */
export function setGradEnabled(enabled: boolean): void {
  if (typeof (enabled as unknown) !== 'boolean')
    throw new ArgumentError(`setGradEnabled: enabled is ${describeAny(enabled)}, not true or false`, {
      fix: 'setGradEnabled(false)',
    })
  mode = { ...mode, grad: enabled }
}

/**
 * Runs `body` without recording: its results require no gradients, and tensors that do may be changed in place.
 *
 * @param body a function without arguments; not an async one
 * @returns what `body` gives
 * @throws ArgumentError when `body` is no function or returns a promise: what follows its first `await` would be recorded
 * @example const y = noGrad(() => model(x))
 */
export const noGrad = <R>(body: () => R): R => within('noGrad', { ...mode, grad: false }, body)

/** Runs `body` with recording on, inside a `noGrad` too. Throws as `noGrad`. */
export const enableGrad = <R>(body: () => R): R => within('enableGrad', { ...mode, grad: true }, body)

/**
 * As `noGrad`; and the tensors that ops make can never take part in gradients, so nothing is kept for them: changing them in
 * place outside, and saving them for a gradient, throws GradientError.
 *
 * @param body a function without arguments; not an async one
 * @returns what `body` gives
 * @throws ArgumentError as `noGrad`
 */
export const inferenceMode = <R>(body: () => R): R => within('inferenceMode', { grad: false, inference: true }, body)

/** Runs `body` recording or not; for the library, whose functions are synchronous. */
export function withRecording<R>(grad: boolean, body: () => R): R {
  const before = mode
  if (mode.grad !== grad) mode = { ...mode, grad }
  try {
    return body()
  } finally {
    mode = before
  }
}

function within<R>(callee: string, during: Mode, body: () => R): R {
  if (typeof (body as unknown) !== 'function')
    throw new ArgumentError(`${callee}: the body is ${describeAny(body)}, not a function`, {
      fix: `${callee}(() => model(x))`,
    })
  const before = mode
  mode = during
  try {
    return requireSynchronous(
      body(),
      what =>
        new ArgumentError(`${callee}: the function returned ${what}`, {
          fix: `await outside of ${callee}, or use setGradEnabled`,
        }),
    )
  } finally {
    mode = before
  }
}
