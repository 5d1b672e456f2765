/** The GPT-2 case: time per token against onnxruntime, and the time of a cold and of a second start. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from 'tegula'
import { readBandwidth } from '../src/profile/limits.js'
import { type BenchCase, normal, versus } from './case.js'
import { gpt2, gpt2Feeds, gpt2Graph, layers, randomBlock, width } from './gpt2.js'
import type { StartReport } from './gpt2-start.js'
import type { Bar } from './report.js'

export const gpt2Blocks: BenchCase = {
  name: '12 GPT-2 blocks, one token',
  async run({ peers }) {
    const { cold, second } = starts()
    const blocks = Array.from({ length: layers }, randomBlock)
    const x = normal([1, width])
    const f = compile(gpt2)
    const bytes = blocks.flatMap(({ weights, keys, values }) => [...Object.values(weights), keys, values])
    const read = bytes.reduce((sum, { shape }) => sum + 4 * shape.reduce((n, d) => n * d, 1), 0)
    const result = await versus(peers, {
      name: gpt2Blocks.name,
      ours: () => f(x, blocks),
      onnx: peers.onnx === null ? null : { graph: gpt2Graph(blocks), feeds: gpt2Feeds(x, blocks) },
      limits: { 'reading the weights': { measure: () => read / readBandwidth(read / 4, 3) } },
      tolerance: 1e-4,
      race: { rounds: 7, calls: 5 },
      bars: [{ against: 'onnxruntime', what: 'per token against onnxruntime', limit: 1 }],
      figures: ({ ours }) => ({
        rate: `${(read / ours!).toPrecision(3)} GB/s`,
        'compiled cold': `${cold.compiled} libraries`,
      }),
    })
    const seconds = (what: string, { firstCallMs }: StartReport, limit: number): Bar => ({
      what,
      value: firstCallMs / 1000,
      unit: 's',
      bound: '≤',
      limit,
    })
    const compiled: Bar = {
      what: 'libraries compiled by a second process',
      value: second.compiled,
      unit: '',
      bound: '≤',
      limit: 0,
    }
    const bars = [
      ...result.bars,
      seconds('cold first call', cold, 2),
      seconds('first call of a second process', second, 0.2),
      compiled,
    ]
    return { ...result, bars }
  },
}

/** Two processes, one after the other, with their own cache folder. */
function starts(): { cold: StartReport; second: StartReport } {
  const folder = mkdtempSync(join(tmpdir(), 'tegula-bench-'))
  const script = fileURLToPath(new URL('gpt2-start.ts', import.meta.url))
  const start = (): StartReport =>
    JSON.parse(
      execFileSync(process.execPath, [...process.execArgv, script], {
        env: { ...process.env, TEGULA_CACHE_DIR: folder },
        encoding: 'utf8',
      }),
    ) as StartReport
  try {
    return { cold: start(), second: start() }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
