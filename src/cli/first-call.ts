/**
 * Measures the first call of a function in a new process: with an empty cache (cold), then with the cache that this run filled
 * (warm). The child process runs a hidden command of this command line.
 */
import { compile } from '../compile/compile.js'
import { type CompileMode, compileModes } from '../compile/options.js'
import { firstCallsOf, sendFirstCall } from '../profile/first-calls.js'
import type { FirstCalls } from '../profile/records.js'
import { loadUserModule } from './user-module.js'

/** How a function is called: eagerly, or compiled in a mode. */
export type Way = 'eager' | CompileMode

export const ways: readonly Way[] = ['eager', ...compileModes]

export const firstCallCommand = 'first-call'

/** The call to measure, as passed to the child process. */
export interface FirstCallOf {
  readonly file: string
  readonly device?: string | undefined
  readonly quick: boolean
  /** Indices into the module's cases, and the case's variants. */
  readonly case: number
  readonly variant: number
  readonly way: Way
}

/** Runs in the child process: times the first call and sends it to the parent. `request`: a FirstCallOf as JSON. */
export async function sendFirstCallOf(request: string): Promise<void> {
  const of = JSON.parse(request) as FirstCallOf
  const module = await loadUserModule(of.file, of)
  const chosen = module.cases[of.case]!
  const { fn, name } = chosen.variants[of.variant]!
  const options = module.options(name || chosen.name)
  const inputs = await chosen.inputs()
  const mode = compileModes.find(each => each === of.way)
  await sendFirstCall(() => {
    // Compiling is part of the first call.
    const call: (...args: readonly never[]) => unknown = mode === undefined ? fn : compile(fn, { ...options, mode })
    return call(...inputs)
  })
}

/** Runs two new processes one after the other with a shared cache that is empty at first. Throws TegulaError when one fails. */
export const measureFirstCalls = (entry: string, of: FirstCallOf): Promise<FirstCalls> =>
  firstCallsOf(`the first call (${of.way})`, entry, [firstCallCommand, JSON.stringify(of)])
