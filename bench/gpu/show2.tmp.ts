import { buildGraph } from '../../src/graph/apply.js'
import { targetForCuda } from '../../src/backends/cuda/target.js'
import { genericCudaTarget, cudaArchs } from '../../src/target/cuda.js'
import { runPipeline } from '../../src/compile/pipeline.js'
import { printPlan } from '../../src/schedule/plan/print.js'
import { paddedWindows } from '../../src/graph/ops/spatial.js'
import { map, reduce, expandTo, constant, shapeOf, castTo, reshapeTo, permuteTo } from '../../src/graph/build.js'
import { writeFileSync } from 'node:fs'
const target = targetForCuda({ ...genericCudaTarget(cudaArchs.sm_90a), multiprocessors: 132 })
const [batch, dtype] = [Number(process.argv[2]), process.argv[3] as 'f16' | 'f32']
const specs: any[] = [{ dtype, shape: [batch, 3, 224, 224] }]
const add = (shape: number[]) => specs.push({ dtype, shape }) - 1
const layers: any = { stem: [add([64, 3, 7, 7]), add([64])], blocks: [] }
let c = 64
for (const [i, o] of [64, 128, 256, 512].entries()) for (const j of [0, 1]) {
  const stride = i > 0 && j === 0 ? 2 : 1
  layers.blocks.push({ stride, a: [add([o, c, 3, 3]), add([o])], b: [add([o, o, 3, 3]), add([o])], down: stride === 2 ? [add([o, c, 1, 1]), add([o])] : null })
  c = o
}
const [fc, fb] = [add([1000, 512]), add([1000])]
const g = buildGraph(specs, [], (b, n) => {
  const conv = (x: any, [w, bias]: any, stride: number, pad: number) => b.node('conv', [x, n[w]!, castTo(b, n[bias]!, 'f32')], { accumulate: 'f32', to: dtype, groups: 1, stride: [stride, stride], padding: [[pad, pad], [pad, pad]], dilation: [1, 1], inputDilation: [1, 1] })
  const relu = (x: any) => castTo(b, map(b, 'max', castTo(b, x, 'f32'), expandTo(b, constant(b, 'f32', 0), shapeOf(x))), dtype)
  let h: any = relu(conv(n[0], layers.stem, 2, 3))
  h = castTo(b, reduce(b, 'max', castTo(b, paddedWindows(b, h, { kernel: [3, 3], stride: [2, 2], padding: [[1, 1], [1, 1]], dilation: [1, 1] }, -Infinity), 'f32'), [4, 5]), dtype)
  for (const { stride, a, b: bb, down } of layers.blocks) {
    const same = down ? conv(h, down, stride, 0) : h
    const mid = relu(conv(h, a, stride, 1))
    h = relu(castTo(b, map(b, 'add', castTo(b, conv(mid, bb, 1, 1), 'f32'), castTo(b, same, 'f32')), dtype))
  }
  const mean = castTo(b, map(b, 'mul', reduce(b, 'add', castTo(b, h, 'f32'), [2, 3]), expandTo(b, constant(b, 'f32', 1 / 49), [batch, 512])), dtype)
  const p = b.node('matmul', [mean, permuteTo(b, n[fc]!, [1, 0])], { accumulate: 'f32', to: 'f32' })
  return [castTo(b, map(b, 'add', p, expandTo(b, castTo(b, n[fb]!, 'f32'), [batch, 1000])), dtype)]
})
const t0 = performance.now()
const st = runPipeline(g, target)
console.log((performance.now() - t0).toFixed(0), 'ms')
if (process.argv[4]) console.log(printPlan(st.plan))
else for (const step of st.plan.steps as any[]) console.log(st.plan.kernels[step.kernel]!.name.padEnd(50), JSON.stringify(step.grid), JSON.stringify(st.plan.kernels[step.kernel]!.hints), step.bytes / 1e6)
writeFileSync(`/tmp/cv/resnet_${batch}_${dtype}.ptx`, st.source)
