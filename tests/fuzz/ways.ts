/** The ways of running a random case: each gives the results, then what the inputs hold afterwards, or how it failed. */
import { computeDevice } from '../../src/backends/index.js'
import { EagerExecutor } from '../../src/compile/eager.js'
import { interpretGraph } from '../../src/graph/interpret.js'
import type { HostTensor } from '../../src/graph/record.js'
import { type CompileOptions, compile, type Tensor } from '../../src/index.js'
import { type DeviceName, deviceOfName } from '../../src/tensor/device.js'
import { setExecutors } from '../../src/tensor/dispatch.js'
import { writeValues } from '../../src/tensor/host.js'
import { forEachRun } from '../../src/tensor/layout.js'
import { checkTensorDtype } from '../../src/types/dtype.js'
import { difference } from '../support/compare.js'
import { type RandomCase, runCase } from '../support/random-case.js'
import { programGraph, programInputs, programTolerance } from '../support/random-graph.js'
import { installReferenceExecutor } from '../support/reference-executor.js'
import { hostOfTensor, tensorOn, testDevice, updateStorage } from '../support/tensors.js'

/** Results, then inputs; then both again after all were overwritten. */
export type Outcome = readonly HostTensor[]

export const inputsOf = ({ program }: RandomCase, on: DeviceName = testDevice): Tensor[] =>
  program.inputs.map(({ spec }) => tensorOn(on, spec))

/** The values, and again after each tensor was overwritten in turn: they must share memory alike too. */
function outcomeOf(results: readonly Tensor[], inputs: readonly Tensor[]): Outcome {
  const tensors = [...results, ...inputs]
  const values = tensors.map(hostOfTensor)
  for (const [i, tensor] of tensors.entries()) overwrite(tensor, i + 1)
  return [...values, ...tensors.map(hostOfTensor)]
}

/** Puts a number into every element, straight in memory: no op takes part. */
function overwrite(tensor: Tensor, value: number): void {
  const dtype = checkTensorDtype(tensor.dtype, 'overwrite')
  const number = dtype === 'bool' ? value % 2 : dtype === 'i64' ? BigInt(value) : value
  updateStorage(tensor.storage('overwrite'), dtype, stored => {
    forEachRun(tensor.layout, (start, stride, count) => {
      for (let i = 0; i < count; i++) writeValues(stored.subarray(start + i * stride), dtype, [number])
    })
  })
}

function runWith(executor: () => void, run: RandomCase, on: DeviceName = testDevice): Outcome {
  executor()
  try {
    const inputs = inputsOf(run, on)
    return outcomeOf(runCase(run, inputs), inputs)
  } finally {
    setExecutors(() => eager)
  }
}

const device = computeDevice(deviceOfName(testDevice, 'fuzz'))
const eager = new EagerExecutor(device)
/** Its kernels are interpreted: whatever it compiles, it compiles under that switch. */
const eagerInterpreted = new EagerExecutor(device)

/** Each op by its record's plain JavaScript reference, on the host's memory as tensors have it: the oracle. */
export const byReference = (run: RandomCase): Outcome => runWith(installReferenceExecutor, run, 'cpu')

export const eagerly = (run: RandomCase): Outcome => runWith(() => setExecutors(() => eager), run)

export function eagerlyInterpreted(run: RandomCase): Outcome {
  const before = process.env.TEGULA_BACKEND
  process.env.TEGULA_BACKEND = 'interpreter'
  try {
    return runWith(() => setExecutors(() => eagerInterpreted), run)
  } finally {
    if (before === undefined) delete process.env.TEGULA_BACKEND
    else process.env.TEGULA_BACKEND = before
  }
}

/**
 * The graph interpreter on the whole graph; null for a case with writes, which a graph of pure ops does not have. Values
 * have no memory there, so the second half of the outcome is the reference's.
 */
export function byGraph(run: RandomCase): Outcome | null {
  if (run.writes.length > 0) return null
  const inputs = programInputs(run.program)
  const values = [...interpretGraph(programGraph(run.program), inputs), ...inputs]
  return [...values, ...byReference(run).slice(values.length)]
}

/** All cases in one compiled function (one call of the C compiler), called with each of the lists of cases. */
export function compiled(lists: readonly (readonly RandomCase[])[], options: CompileOptions): Outcome[][] {
  const [first] = lists as readonly [readonly RandomCase[]]
  const all = compile((inputs: Tensor[][]) => first.map((run, i) => runCase(run, inputs[i]!)), options)
  return lists.map(list => {
    const inputs = list.map(run => inputsOf(run))
    const results = all(inputs)
    return results.map((result, i) => outcomeOf(result, inputs[i]!))
  })
}

/** Compiled, with a read of values in the middle of the program: a graph break. Called twice; gives the second outcome. */
export function compiledWithBreak(run: RandomCase): Outcome {
  const { ops } = run.program
  const middle = ops[Math.floor(ops.length / 2)]?.id
  const f = compile((...inputs: Tensor[]) =>
    runCase(run, inputs, (id, value) => {
      if (id === middle) value.dataSync()
    }),
  )
  outcomeOf(f(...inputsOf(run)), [])
  const inputs = inputsOf(run)
  return outcomeOf(f(...inputs), inputs)
}

/** The first difference between two outcomes, or null. */
export function outcomesDiffer(run: RandomCase, actual: Outcome, expected: Outcome): string | null {
  if (actual.length !== expected.length) return `${actual.length} results, expected ${expected.length}`
  const { length } = run.program.outputs
  const tensors = expected.length / 2
  for (const [i, tensor] of expected.entries()) {
    const problem = difference(actual[i]!, tensor, programTolerance(run.program, tensor))
    if (problem === null) continue
    const at = i % tensors
    const name = at < length ? `result ${at}` : `input ${at - length} afterwards`
    return `${name}${i < tensors ? '' : ' (after all were overwritten in turn)'} ${problem}`
  }
  return null
}
