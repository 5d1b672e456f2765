/** How long one run of a compiler or an assembler may take: a tool that hangs must not hang the program. */
import { env } from '../base/env.js'
import { ArgumentError } from '../base/errors.js'

const defaultSeconds = 300
/** Timers take 32 bits of milliseconds. */
const maxSeconds = 2_000_000

/** `TEGULA_COMPILE_TIMEOUT` in seconds, by default 300. Throws ArgumentError when the switch is no time. */
export function compileSeconds(): number {
  const text = env('compileTimeout')
  if (text === undefined) return defaultSeconds
  const seconds = Number(text)
  if (seconds > 0 && seconds <= maxSeconds) return seconds
  throw new ArgumentError(`TEGULA_COMPILE_TIMEOUT is ${JSON.stringify(text)}, which is no number of seconds`, {
    fix: `set it to a number above 0 and up to ${maxSeconds}, or unset it for ${defaultSeconds}`,
    at: null,
  })
}

/** What to do about a tool that took too long. */
export const timeoutFix =
  'set TEGULA_COMPILE_TIMEOUT to more seconds if the machine is busy or the kernels are very large'
