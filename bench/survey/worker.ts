/**
 * Runs cases of the survey in one process: to warm the cache of kernels (many processes at once), or alone to time them. Each
 * case is a JSON line of the file OUT; cases that it has are skipped. Started by main.ts.
 *
 *     worker.ts warm|time OUT DEVICE SECONDS START STEP IDS.json
 *     worker.ts limits OUT DEVICE                    # writes the device's limits instead
 */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import * as tg from 'tegula'
import { compile, type Device, emptyCache, scope, setDefaultDevice, synchronize, type Tensor } from 'tegula'
import { type RecordName, recordTable } from '../../src/graph/ops/index.js'
import { type CallTimes, compareCalls } from '../../src/profile/compare.js'
import { gpuOfDevice } from '../../src/profile/device-limits.js'
import { applyOp } from '../../src/tensor/dispatch.js'
import { itemBytes } from '../../src/types/dtype.js'
import { elementsOf, functionNames, replaceTensors, type SurveyCase, tensorsIn } from './case.js'
import { bytesRead, capsOf, surveyCases } from './cases.js'
import { makeInput } from './inputs.js'
import { measureSurveyLimits } from './limits.js'
import { compareProbes, type Probe, probeOf } from './probe.js'

/** Microseconds. */
export interface Times {
  /** Many calls in a row, on the host's clock. */
  readonly call: number
  /** One call on the GPU's clock with a cold L2 cache. */
  readonly device: number | null
}

export interface Line {
  readonly id: string
  readonly error?: string
  /** The compiled function does not give what the op gives eagerly. */
  readonly wrong?: string
  /** Milliseconds of first calls. */
  readonly first?: { readonly eager: number; readonly compiled?: number }
  readonly bytes?: number
  readonly probe?: readonly Probe[]
  readonly eager?: Times
  /** On a GPU as a graph. */
  readonly compiled?: Times
}

const samples = 15
const seconds = 0.03
/** A call that takes longer is timed once. */
const slowMilliseconds = 50

type Call = (...inputs: Tensor[]) => readonly Tensor[]

const isFunction = (op: string): boolean => (functionNames as readonly string[]).includes(op)

const listed = (result: unknown): readonly Tensor[] =>
  result instanceof tg.Tensor ? [result] : Object.values(result as Readonly<Record<string, Tensor>>)

/** The case as a function of its tensors. */
function callOf({ op, args }: SurveyCase, device: Device): Call {
  return (...inputs) => {
    const order = [...new Set(tensorsIn(args))]
    const bound = replaceTensors(args, tensor => inputs[order.indexOf(tensor)]) as readonly unknown[]
    if (!isFunction(op)) return applyOp(recordTable[op as RecordName], bound, device)
    return listed((tg as unknown as Record<string, (...given: readonly unknown[]) => unknown>)[op]!(...bound))
  }
}

function timed<R>(body: () => R): { readonly result: R; readonly ms: number } {
  synchronize()
  const started = performance.now()
  const result = body()
  synchronize()
  return { result, ms: performance.now() - started }
}

const microseconds = ({ call, device }: CallTimes): Times => ({
  call: call.median / 1000,
  device: device === null ? null : device.median / 1000,
})

/** What is timed: results are freed at once, as the peer's are. */
const freeing = (call: Call, inputs: readonly Tensor[]) => (): void => {
  for (const result of call(...inputs)) result.dispose()
}

interface Ways {
  readonly eager: Call
  /** Null: what breaks a graph is only run eagerly. */
  readonly compiled: Call | null
}

function first(each: SurveyCase, { eager, compiled }: Ways, inputs: readonly Tensor[]): Line {
  const one = timed(() => eager(...inputs))
  const other = compiled === null ? null : timed(() => compiled(...inputs))
  const results = one.result
  const probe = probeOf(results)
  const wrong = other === null || each.unordered ? null : compareProbes(probeOf(other.result), probe)
  const written = results.reduce((sum, { shape, dtype }) => sum + elementsOf(shape) * itemBytes(dtype), 0)
  const table = tensorsIn(each.args).some(({ picked }) => picked) ? written : 0
  return {
    id: each.id,
    first: { eager: one.ms, ...(other !== null && { compiled: other.ms }) },
    bytes: bytesRead(each.args, itemBytes) + written + table,
    ...(each.unordered ? {} : { probe }),
    ...(wrong !== null && { wrong }),
  }
}

async function run(each: SurveyCase, device: Device, isTimed: boolean): Promise<Line> {
  const inputs = scope(() => [...new Set(tensorsIn(each.args))].map((tensor, i) => makeInput(tensor, i, device)))
  try {
    const eager = callOf(each, device)
    const gpu = gpuOfDevice(device)
    const mode = gpu === null ? 'default' : 'reduce-overhead'
    const ways: Ways = { eager, compiled: isFunction(each.op) ? null : compile(eager, { mode }) }
    const line = scope(() => first(each, ways, inputs))
    if (!isTimed) return line
    const calls = [ways.eager, ...(ways.compiled === null ? [] : [ways.compiled])].map(call => freeing(call, inputs))
    const again = calls.map(call => timed(call).ms)
    const slow = again.some(ms => ms > slowMilliseconds)
    const times = slow
      ? again.map((ms): Times => ({ call: ms * 1000, device: gpu === null ? null : ms * 1000 }))
      : (
          await compareCalls(
            calls.map(call => ({ name: each.id, call })),
            { samples, seconds: seconds * calls.length, gpu },
          )
        ).map(microseconds)
    return { ...line, eager: times[0]!, ...(times[1] && { compiled: times[1] }) }
  } finally {
    for (const input of inputs) input.dispose()
  }
}

async function main([mode, out, kind, limit, start, step, idsFile]: readonly string[]): Promise<void> {
  const end = performance.now() + Number(limit) * 1000
  setDefaultDevice(kind as 'cpu' | 'cuda')
  const device: Device = kind === 'cpu' ? 'cpu' : 'cuda:0'
  if (mode === 'limits') return writeFileSync(out!, JSON.stringify(measureSurveyLimits(device)))
  const ids = JSON.parse(readFileSync(idsFile!, 'utf8')) as readonly string[]
  const all = new Map(
    [...surveyCases(capsOf(kind as 'cpu' | 'cuda', true)), ...surveyCases(capsOf(kind as 'cpu' | 'cuda'))].map(each => [
      each.id,
      each,
    ]),
  )
  const done = existsSync(out!)
    ? new Set(
        readFileSync(out!, 'utf8')
          .split('\n')
          .filter(line => line.startsWith('{'))
          .map(line => (JSON.parse(line) as Line).id),
      )
    : new Set<string>()
  const own = ids.filter((_, i) => i % Number(step) === Number(start)).filter(id => !done.has(id))
  for (const id of own) {
    if (performance.now() > end) break
    writeFileSync(`${out}.current`, JSON.stringify({ id, started: Date.now() }))
    let line: Line
    try {
      line = await run(all.get(id)!, device, mode === 'time')
    } catch (error) {
      line = { id, error: error instanceof Error ? `${error.name}: ${error.message.slice(0, 300)}` : String(error) }
    }
    appendFileSync(out!, `${JSON.stringify(line)}\n`)
    // A failed kernel makes the device unusable: main.ts starts another process.
    if (line.error?.startsWith('DeviceError') === true && gpuOfDevice(device)?.context.lost) process.exit(9)
    emptyCache()
    globalThis.gc?.()
  }
}

await main(process.argv.slice(2))
