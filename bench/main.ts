/**
 * The CPU benchmark with pass limits: every case against its peer and against this machine's peak rates, measured in one run.
 * Results are checked before anything is timed.
 *
 *     npm run bench -- cpu [--out FILE.json] [--case PART_OF_NAME]
 *
 * Peers are installed in bench/node_modules (`npm --prefix bench ci --ignore-scripts`); without them a case runs without ratios.
 */
import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { manualSeed } from 'tegula'
import type { BenchCase } from './case.js'
import { addReluMultiply, convolution, layerNorm, matmul, mlpBlock, rowTimesMatrix, softmax } from './dense.js'
import { gpt2Blocks } from './gpt2-case.js'
import { loadPeers } from './peers.js'
import { type CaseResult, caseText, holds } from './report.js'
import { smallCall } from './small-call.js'
import { tunedCases } from './tuned.js'

const cases: readonly BenchCase[] = [
  addReluMultiply,
  ...[256, 512, 1024].map(matmul),
  rowTimesMatrix,
  softmax,
  layerNorm,
  mlpBlock,
  convolution,
  smallCall,
  gpt2Blocks,
  ...tunedCases,
]

/** Null when the command line is invalid. */
function parse(): { wanted: readonly BenchCase[]; out: string | undefined } | null {
  try {
    const { values, positionals } = parseArgs({
      options: { out: { type: 'string' }, case: { type: 'string' } },
      allowPositionals: true,
    })
    const wanted = cases.filter(({ name }) => name.includes(values.case ?? ''))
    return positionals.join() === 'cpu' && wanted.length > 0 ? { wanted, out: values.out } : null
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    return null
  }
}

function usage(): never {
  const names = cases.map(({ name }) => `  ${name}`).join('\n')
  process.stderr.write(`usage: npm run bench -- cpu [--out FILE.json] [--case PART_OF_NAME]\ncases:\n${names}\n`)
  process.exit(2)
}

const { wanted, out } = parse() ?? usage()
const cores = Number(process.env.TEGULA_THREADS ?? availableParallelism())
const machine = { cpu: cpus()[0]?.model ?? 'unknown', cores, node: process.version }
manualSeed(0)
const peers = await loadPeers(cores)
const load = loadavg()[0]!
console.log(`${machine.cpu}, ${cores} cores, Node ${process.version}, load average before: ${load.toFixed(2)}\n`)
const results: CaseResult[] = []
for (const each of wanted) {
  process.stderr.write(`${each.name} …\n`)
  const result = await each.run({ peers, cores })
  console.log(`${caseText(result)}\n`)
  results.push(result)
}
const bars = results.flatMap(result => result.bars)
const count = (verdict: boolean | null): number => bars.filter(bar => holds(bar) === verdict).length
console.log(`bars: ${count(true)} hold, ${count(false)} miss, ${count(null)} not measured`)
if (out !== undefined) {
  const cases = results.map(result => ({ ...result, bars: result.bars.map(bar => ({ ...bar, holds: holds(bar) })) }))
  const loads = { before: load, after: loadavg()[0]! }
  writeFileSync(out, `${JSON.stringify({ date: new Date().toISOString(), machine, loads, cases }, null, 2)}\n`)
}
