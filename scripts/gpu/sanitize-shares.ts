/** A process of `sanitize.ts`: starts compute-sanitizer for each share of the samples, and waits for all. */
import { runShares, type SanitizerTool } from './sanitize.js'

const [program, tool, folder, workers, seconds] = process.argv.slice(2) as [
  string,
  SanitizerTool,
  string,
  string,
  string,
]
await runShares(program, tool, folder, Number(workers), Number(seconds))
