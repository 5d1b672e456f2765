/**
 * Classifies scanned digits by k-nearest-neighbours, in plain tensor code: once eagerly, once compiled.
 *
 *     npx tsx examples/neighbours.ts
 *
 * The data: 1,797 digits of 8×8 pixels with their labels ("Optical Recognition of Handwritten Digits", UCI).
 * Every third digit is held out and classified by its nearest neighbours among the other two thirds.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { arange, compile, compilerStats, type Tensor } from 'tegula'
import { digits } from 'tegula/data'

const neighbours = 5
const requiredAccuracy = 0.97
const digitNames = arange(10)

/** Labels [Q] of queries [Q, 64], by a vote of the nearest among references [R, 64] with labels [R] (i64). */
export function classify(queries: Tensor, references: Tensor, labels: Tensor): Tensor {
  const squares = queries.square().sum(1, { keepdim: true }).add(references.square().sum(1))
  const distances = squares.sub(queries.matmul(references.t()).mul(2))
  const { indices } = distances.topk(neighbours, { dim: 1, largest: false })
  const votes = labels.expand([queries.size(0), labels.size(0)]).gather(1, indices)
  return votes.unsqueeze(2).eq(digitNames).sum(1).argmax(1)
}

interface Split {
  readonly queries: Tensor
  readonly references: Tensor
  readonly labels: Tensor
  readonly answers: readonly number[]
}

export function loadDigits(): Split {
  const [train, test] = [digits().tensors, digits({ split: 'test' }).tensors]
  const rows = (images: Tensor): Tensor => images.reshape([-1, 64])
  return {
    queries: rows(test.x),
    references: rows(train.x),
    labels: train.y,
    answers: test.y.toArray() as number[],
  }
}

/** Median milliseconds of a call. */
function milliseconds(call: () => void, runs = 30): number {
  const times: number[] = []
  for (let i = 0; i < runs; i++) {
    const start = performance.now()
    call()
    times.push(performance.now() - start)
  }
  return times.sort((a, b) => a - b)[runs >> 1]!
}

/** The first compiled call in a new process: its milliseconds, and how many libraries the C compiler built for it. */
interface FirstCall {
  readonly ms: number
  readonly compiled: number
}

function firstCall(): FirstCall {
  const { queries, references, labels } = loadDigits()
  const start = performance.now()
  compile(classify)(queries, references, labels).dataSync()
  return { ms: performance.now() - start, compiled: compilerStats().compiled }
}

/** `firstCall` in two new processes that share a new, empty cache: the first compiles, the second only loads. */
function coldAndWarm(): readonly [FirstCall, FirstCall] {
  const cache = mkdtempSync(join(tmpdir(), 'tegula-neighbours-'))
  try {
    const run = (): FirstCall => {
      const script = fileURLToPath(import.meta.url)
      const child = spawnSync(process.execPath, [...process.execArgv, script, '--first-call'], {
        env: { ...process.env, TEGULA_CACHE_DIR: cache },
        encoding: 'utf8',
      })
      if (child.status !== 0) throw new Error(`the fresh process failed: ${child.stderr}`)
      return JSON.parse(child.stdout) as FirstCall
    }
    return [run(), run()]
  } finally {
    rmSync(cache, { recursive: true, force: true })
  }
}

function main(): void {
  const { queries, references, labels, answers } = loadDigits()
  console.log(`${answers.length} held-out digits, ${labels.size(0)} references, ${neighbours} neighbours`)

  const fast = compile(classify)
  const eager = classify(queries, references, labels).toArray() as number[]
  const compiled = fast(queries, references, labels).toArray() as number[]
  const differing = eager.filter((label, i) => label !== compiled[i]).length
  const accuracy = compiled.filter((label, i) => label === answers[i]).length / answers.length
  if (differing > 0) throw new Error(`eager and compiled differ in ${differing} of ${answers.length} labels`)
  if (accuracy < requiredAccuracy) throw new Error(`accuracy is ${accuracy}, below ${requiredAccuracy}`)

  const explanation = fast.explain(queries, references, labels)
  const eagerMs = milliseconds(() => classify(queries, references, labels).dispose())
  const compiledMs = milliseconds(() => fast(queries, references, labels).dispose())
  const [cold, warm] = coldAndWarm()
  const rows: readonly (readonly [string, string])[] = [
    ['accuracy', `${(100 * accuracy).toFixed(2)} %, eager and compiled give the same ${answers.length} labels`],
    ['ops → kernels', `${explanation.opCount} → ${explanation.kernels.length}`],
    ...explanation.kernels.map(({ name, ops }): [string, string] => ['', `${name}: ${ops.join(', ')}`]),
    ['eager', `${eagerMs.toFixed(2)} ms per call`],
    ['compiled', `${compiledMs.toFixed(2)} ms per call, ${(eagerMs / compiledMs).toFixed(1)} times as fast`],
    ['first call, cold', `${cold.ms.toFixed(0)} ms in a new process with an empty cache, ${cold.compiled} compiled`],
    ['first call, warm', `${warm.ms.toFixed(0)} ms in a second process, ${warm.compiled} compiled`],
    ['generated code', fast.stats().code.join(', ')],
  ]
  for (const [name, text] of rows) console.log(`${name.padEnd(18)}${text}`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv.includes('--first-call')) console.log(JSON.stringify(firstCall()))
  else main()
}
