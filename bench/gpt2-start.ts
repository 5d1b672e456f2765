/**
 * One start of a program that runs the GPT-2 blocks: the time of the first compiled call. Run in its own process with
 * TEGULA_CACHE_DIR set: an empty folder measures a cold compile, the same folder again a second process.
 */
import { compile, compilerStats } from 'tegula'
import { normal } from './case.js'
import { gpt2, layers, randomBlock, width } from './gpt2.js'

export interface StartReport {
  /** Time of the first call: capture, compilation or cache, and one run. */
  readonly firstCallMs: number
  readonly secondCallMs: number
  /** Libraries that the C compiler built during the first call. */
  readonly compiled: number
}

const x = normal([1, width])
const blocks = Array.from({ length: layers }, randomBlock)
const f = compile(gpt2)
const before = compilerStats().compiled
const start = performance.now()
f(x, blocks)
const first = performance.now()
f(x, blocks)
const report: StartReport = {
  firstCallMs: first - start,
  secondCallMs: performance.now() - first,
  compiled: compilerStats().compiled - before,
}
process.stdout.write(JSON.stringify(report))
