import { buildGraph } from '../../src/graph/apply.js'
import { targetForCuda } from '../../src/backends/cuda/target.js'
import { genericCudaTarget, cudaArchs } from '../../src/target/cuda.js'
import { runPipeline } from '../../src/compile/pipeline.js'
import { printPlan } from '../../src/schedule/plan/print.js'
import { readFileSync, writeFileSync } from 'node:fs'
const target = targetForCuda({ ...genericCudaTarget(cudaArchs.sm_90a), multiprocessors: 132 })
const shapes = JSON.parse(readFileSync('bench/gpu/conv-shapes.json', 'utf8')) as any[]
for (const s of shapes.filter(s => process.argv[2]!.split(',').some(p => s.name.includes(p)))) {
  if (s.pool) continue
  const d = s.x.length - 2
  const l = (v: any, def: number) => new Array(d).fill(v ?? def)
  const g = buildGraph([{ dtype: s.dtype, shape: s.x }, { dtype: s.dtype, shape: s.w }] as any, [], (b, n) => [b.node('conv', n, { accumulate: 'f32', to: s.dtype, groups: s.groups ?? 1, stride: l(s.stride, 1), padding: l(0, 0).map(() => [s.pad ?? 0, s.pad ?? 0] as const), dilation: l(s.dilation, 1), inputDilation: l(1, 1) } as any)])
  const t0 = performance.now()
  const st = runPipeline(g, target)
  console.log('====', s.name, (performance.now() - t0).toFixed(0), 'ms')
  if (process.argv[3] === 'plan') console.log(printPlan(st.plan))
  else for (const step of st.plan.steps as any[]) console.log(st.plan.kernels[step.kernel]!.name, JSON.stringify(step.grid), JSON.stringify(st.plan.kernels[step.kernel]!.hints))
  writeFileSync(`/tmp/cv/${s.name}.ptx`, st.source)
}
