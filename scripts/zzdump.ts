import { mkdirSync, writeFileSync } from 'node:fs'
import { targetForCpu } from '../src/backends/cpu/target.js'
import { runPipeline } from '../src/compile/pipeline.js'
import { cpuTarget } from '../src/target/cpu.js'
import { corpus } from '../tests/support/kernel-corpus.js'
const probe = { arch: 'x64', model: 'report', cores: 2, l1Bytes: 48 << 10, l2Bytes: 1 << 20, l3Bytes: 32 << 20 }
const avx512 = ['AVX', 'AVX2', 'FMA', 'F16C', 'AVX512F', 'AVX512VL', 'AVX512DQ', 'AVX512BW']
const target = targetForCpu(cpuTarget({ ...probe, features: avx512 }))
const out = process.argv[2]!
mkdirSync(out, { recursive: true })
const best = new Map<string, string>()
const times = new Map<string, number>()
const started = performance.now()
for (const { name, graph } of corpus('ops/')) {
  if (!name.includes('any sizes')) continue
  const op = name.split('/')[1]!
  try {
    const t = performance.now()
    const { source } = runPipeline(graph, target)
    const ms = performance.now() - t
    if ((best.get(op)?.length ?? 0) < source.length) best.set(op, source)
    times.set(op, Math.min(times.get(op) ?? Infinity, ms))
  } catch (e) { console.error(name, String(e).slice(0, 100)) }
}
for (const [op, source] of best) writeFileSync(`${out}/${op}.c`, source)
console.log(best.size, 'ops', Math.round(performance.now() - started), 'ms')
console.log([...times].sort((a, b) => b[1] - a[1]).slice(0, 25).map(([op, ms]) => `${op} ${ms.toFixed(0)}`).join(', '))
