/** A third back end (toy.ts) schedules, lowers, runs, tunes and launches, though nothing outside of it knows it. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { ComputeDevice } from '../../src/backends/device.js'
import { DiskCache } from '../../src/cache/disk-cache.js'
import { tune } from '../../src/compile/autotune.js'
import { type Capture, captureFunction } from '../../src/compile/capture/capture.js'
import { EagerExecutor } from '../../src/compile/eager.js'
import { makeRunner, makeRunnerAsync } from '../../src/compile/execute/runner.js'
import { VersionedRunner } from '../../src/compile/execute/versions.js'
import { prepareLaunch, setArgument } from '../../src/compile/kernels/kernel-launch.js'
import { runPipeline } from '../../src/compile/pipeline.js'
import { type RecordName, recordTable } from '../../src/graph/ops/index.js'
import type { HostTensor } from '../../src/graph/record.js'
import { makeLayout } from '../../src/tensor/layout.js'
import { Storage } from '../../src/tensor/storage.js'
import { Tensor } from '../../src/tensor/tensor.js'
import { argumentsOf } from '../../src/tile/abi.js'
import { buildKernel, view } from '../../src/tile/kernel.js'
import { checkTensorDtype, f32 } from '../../src/types/dtype.js'
import { storedArrayType } from '../../src/types/memory.js'
import { memoryOf, readOutput } from '../schedule/run.js'
import { difference, toleranceFor } from '../support/compare.js'
import { expectedResults, graphOf } from '../support/record-graph.js'
import { fewSamples } from '../support/sample-choice.js'
import { samplesFor } from '../support/samples.js'
import { randomSpec, storageOf, type TensorSpec } from '../support/tensor-spec.js'
import { toyBackend } from './toy.js'

/** In the toy's memory. */
function tensorOn({ memory, name }: ComputeDevice, spec: TensorSpec): Tensor {
  const { data, offset } = memoryOf(spec)
  const storage = new Storage(memory.allocate(data.byteLength), data.byteLength, name, memory)
  memory.write(storage.block, 0, data)
  const dtype = checkTensorDtype(spec.dtype, 'tensorOn')
  return new Tensor(storage, dtype, makeLayout(spec.shape, storageOf(spec).strides, offset), false)
}

function hostOf(device: ComputeDevice, { source, dtype, layout }: Tensor): HostTensor {
  const { block, bytes } = source as Storage
  const array = storedArrayType(dtype)
  const data = new array(device.memory.read(block, 0, bytes).buffer as ArrayBuffer)
  const { shape, strides, offset } = layout
  return readOutput({ data, shape, strides, offset }, dtype)
}

/** One of each template, and of what the scheduler fuses. */
const names: readonly RecordName[] = [
  'add',
  'softmax',
  'sum',
  'argmax',
  'matmul',
  'conv2d',
  'scaledDotProductAttention',
  'cumsum',
  'sort',
  'topk',
  'scatter',
  'cat',
]

describe('a third back end', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tegula-toy-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const toy = toyBackend(DiskCache.open({ folder }))
  const device = toy.device('cpu')

  for (const name of names) {
    it(`compiles ${name}`, () => {
      const record = recordTable[name]
      for (const sample of fewSamples(name, samplesFor(name), name === 'conv2d' ? 1 : 5)) {
        const runner = makeRunner(graphOf(record, sample), device)
        expect(runner).not.toBeInstanceOf(VersionedRunner)
        const results = runner.run(
          sample.inputs.map(spec => tensorOn(device, spec)),
          [],
          new Float64Array(0),
        )
        expectedResults(record, sample).forEach((expected, i) => {
          const problem = difference(hostOf(device, results[i]!), expected, toleranceFor(name, expected.dtype))
          expect(problem, `${name} on ${sample.name}, result ${i}`).toBeNull()
        })
      }
    })
  }

  it('runs ops eagerly, for any sizes', () => {
    const executor = new EagerExecutor(device)
    for (const size of [3, 50]) {
      const spec = randomSpec(size, 'f32', [size, 4])
      const [result] = executor.run(recordTable.mul, [tensorOn(device, spec), tensorOn(device, spec)], {})
      expect(hostOf(device, result!).data).toEqual(spec.data.map(value => Math.fround(Number(value) ** 2)))
    }
  })

  it("launches users' kernels", () => {
    const program = buildKernel({
      name: 'twice',
      params: { x: view(f32, 1), out: view(f32, 1) },
      grid: ({ out }) => [out.size(0)],
      body: (t, { x, out }) =>
        void t.store(out, [t.programId(0).mul(8)], t.load(x, [t.programId(0).mul(8)], [8]).mul(2)),
    })
    const [x, out] = [randomSpec(1, 'f32', [20]), randomSpec(2, 'f32', [20])].map(spec => tensorOn(device, spec))
    const list = argumentsOf(program.params)
    const { steps, run } = prepareLaunch(program, device, { divisors: list.map(() => 1), indices: 'i64' })
    for (const [i, argument] of list.entries()) setArgument(steps, i, argument, [x!, out!][argument.param]!)
    steps.setGrid(0, 3, 1, 1)
    run([x!, out!], [1])
    expect(hostOf(device, out!).data).toEqual(hostOf(device, x!).data.map(value => 2 * Number(value)))
  })

  it('shows and exports its code', () => {
    const sample = samplesFor('softmax')[0]!
    const target = toy.shown.toy!()
    const { source } = runPipeline(graphOf(recordTable.softmax, sample), target)
    expect(source).toMatch(/^softmax/)
    device.adoptCode(source, device.exportCode(source))
    expect(() => device.adoptCode('other', device.exportCode(source))).toThrow(/no code/)
  })

  it('compiles without blocking, and is tuned by its own choices', async () => {
    const sample = samplesFor('softmax')[0]!
    const graph = graphOf(recordTable.softmax, sample)
    const inputs = sample.inputs.map(spec => tensorOn(device, spec))
    const [result] = (await makeRunnerAsync(graph, device)).run(inputs, [], new Float64Array(0))
    expect(hostOf(device, result!).shape).toEqual(sample.inputs[0]!.shape)
    const tensor = tensorOn(device, randomSpec(3, 'f32', [4, 5]))
    const { capture } = captureFunction(((x: Tensor) => x.add(1)) as never, [tensor], {
      name: 'f',
      fullgraph: true,
      isDynamic: () => false,
      runSegment: () => [],
    })
    const { segment } = capture as Capture
    expect(tune({ segment, device, options: {} }).tuning).toMatchObject({ chosen: 'usual blocks', gain: null })
  })
})
