/**
 * Runs all samples of a share of the ops on the GPU, compiled, each op's samples as one function, and launches some kernels
 * that people write; checks that results can be read. Under compute-sanitizer, for `test.ts`.
 * Arguments: the file for the outcome, the share, the number of shares, seconds, the tool.
 */
import { writeFileSync } from 'node:fs'
import { versionsOf } from '../../src/compile/compile.js'
import { CudaRunner } from '../../src/compile/cuda-runner.js'
import { type RecordName, recordTable } from '../../src/graph/ops/index.js'
import { compile, setDefaultDevice, synchronize, type Tensor, tensor, zerosLike } from '../../src/index.js'
import { cudaDevice } from '../../src/runtime/cuda/device.js'
import { applyOp } from '../../src/tensor/dispatch.js'
import { accumulate, evens, scale } from '../../tests/support/kernels.js'
import { type Sample, samplesFor } from '../../tests/support/samples.js'
import { bindArguments } from '../../tests/support/tensor-spec.js'
import { tensorOf } from '../../tests/support/tensors.js'
import type { ShareOutcome } from './sanitize.js'

const [file, share, shares, seconds, tool] = process.argv.slice(2) as [string, string, string, string, string]
const end = Date.now() + Number(seconds) * 1000
setDefaultDevice('cuda')

/** Where threads exchange data through shared memory: what racecheck is about comes first. */
const exchanging = new Set(['reduction', 'matmul', 'normalisation', 'sorting', 'index'])

const names = (Object.keys(recordTable) as RecordName[])
  .filter((_, i) => i % Number(shares) === Number(share))
  .sort((a, b) => Number(exchanges(b)) - Number(exchanges(a)))

function exchanges(name: RecordName): boolean {
  return tool === 'racecheck' && exchanging.has(recordTable[name].category)
}

const samplesOf = (name: RecordName): readonly Sample[] =>
  samplesFor(name).filter(({ inputs }) => inputs.every(({ strides }) => strides?.every(each => each >= 0) ?? true))

const outcome = { samples: 0, kernels: 0, left: 0, errors: [] as string[] }

function attempt(what: string, run: () => void): void {
  try {
    run()
    synchronize()
  } catch (error) {
    outcome.errors.push(`${what}: ${error instanceof Error ? error.stack : error}`.slice(0, 2000))
  }
}

function runOp(name: RecordName, samples: readonly Sample[]): void {
  const inputs = samples.map(sample => sample.inputs.map(tensorOf))
  const call = (sample: Sample, given: readonly Tensor[]): readonly Tensor[] =>
    applyOp(
      recordTable[name],
      bindArguments(sample.args, i => given[i]),
    )
  const all = compile((given: Tensor[][]) => samples.map((sample, i) => call(sample, given[i]!)))
  for (const results of all(inputs)) for (const result of results) result.dataSync()
  const [entry] = versionsOf(all)?.entries ?? []
  if (entry?.runner instanceof CudaRunner) outcome.kernels += entry.runner.artifact.kernels.length
}

for (const name of names) {
  const samples = samplesOf(name)
  if (Date.now() > end || cudaDevice().context.lost !== null) {
    outcome.left += samples.length
    continue
  }
  attempt(name, () => runOp(name, samples))
  outcome.samples += samples.length
}
if (share === '0') {
  attempt('kernels of people', () => {
    const x = tensor(Array.from({ length: 1000 }, (_, i) => i))
    const out = zerosLike(x)
    scale.launch({ x, out, factor: 2 })
    accumulate.launch({ x, acc: out })
    evens.launch({ x, out })
    out.dataSync()
  })
}
writeFileSync(file, JSON.stringify(outcome satisfies ShareOutcome))
