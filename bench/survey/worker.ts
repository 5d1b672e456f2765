/**
 * Runs cases of the survey in one process: to warm the cache of kernels (many processes at once), or alone to time them. Each
 * case is a JSON line of the file OUT; cases that it has are skipped. Started by main.ts.
 *
 *     worker.ts warm|time OUT DEVICE SECONDS START STEP IDS.json
 *     worker.ts limits OUT DEVICE                    # writes the device's limits instead
 */
import '../unnamed.js' // first
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import * as tg from 'tegula'
import { compile, type Device, emptyCache, scope, setDefaultDevice, synchronize, type Tensor } from 'tegula'
import { type RecordName, recordTable } from '../../src/graph/ops/index.js'
import { compareCalls } from '../../src/profile/call-times.js'
import { gpuOfDevice } from '../../src/profile/device-limits.js'
import { applyOp } from '../../src/tensor/dispatch.js'
import { itemBytes, type TensorDtype } from '../../src/types/dtype.js'
import { elementsOf, functionNames, replaceTensors, type SurveyCase, TensorArgument, tensorsIn } from './case.js'
import { bytesRead, capsOf, surveyCases } from './cases.js'
import { normal } from './forms.js'
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

const samples = 9
const seconds = 0.03
/** A call that takes longer is timed once. */
const slowMilliseconds = 50

type Call = () => readonly Tensor[]

const isFunction = (op: string): boolean => (functionNames as readonly string[]).includes(op)

/** Methods that return their tensor where there is nothing to do, as the peer's do; the ops of these names copy. */
const isConversion = (op: string): op is 'contiguous' | 'to' => op === 'contiguous' || op === 'to'

const listed = (result: unknown): readonly Tensor[] =>
  result instanceof tg.Tensor ? [result] : Object.values(result as Readonly<Record<string, Tensor>>)

/** The case's call on these tensors; the last one is the gradient of the result where the call is differentiated. */
function callOn(each: SurveyCase, inputs: readonly Tensor[], device: Device): Call {
  const forward = opOn(each, inputs, device)
  if (each.variables === null) return forward
  const order = [...new Set(tensorsIn(each.args))]
  const at = each.variables.map(tensor => inputs[order.indexOf(tensor)]!)
  return () => tg.gradients(forward()[0]!, at, { gradOutputs: inputs.at(-1)! })
}

/** The op's call on these tensors. */
function opOn({ op, args }: SurveyCase, inputs: readonly Tensor[], device: Device): Call {
  const order = [...new Set(tensorsIn(args))]
  const bound = replaceTensors(args, tensor => inputs[order.indexOf(tensor)]) as readonly unknown[]
  if (isConversion(op)) return () => [(bound[0] as Tensor)[op](...(bound.slice(1) as [TensorDtype]))]
  if (!isFunction(op)) return () => applyOp(recordTable[op as RecordName], bound, device)
  const call = (tg as unknown as Record<string, (...given: readonly unknown[]) => unknown>)[op]!
  return () => listed(call(...bound))
}

function timed<R>(body: () => R): { readonly result: R; readonly ms: number } {
  synchronize()
  const started = performance.now()
  const result = body()
  synchronize()
  return { result, ms: performance.now() - started }
}

/** What is timed: results are freed at once, as the peer's are. An op that has nothing to do may return its input. */
function freeing(call: Call, inputs: readonly Tensor[]): () => void {
  const shared = new Set(inputs.map(({ source }) => source))
  return () => {
    for (const result of call()) if (!shared.has(result.source)) result.dispose()
  }
}

/** A program has other compiled functions: while one lives, V8 keeps what it optimised for their classes. */
const kept: Ways[] = []

interface Ways {
  readonly eager: Call
  /** Null: what breaks a graph is only run eagerly. */
  readonly compiled: Call | null
}

function waysOf(each: SurveyCase, inputs: readonly Tensor[], device: Device): Ways {
  const once = callOn(each, inputs, device)
  // What a forward pass leaves is freed with its scope, as the peer's is.
  const eager = each.variables === null ? once : (): readonly Tensor[] => scope(once)
  if (isFunction(each.op)) return { eager, compiled: null }
  const mode = gpuOfDevice(device) === null ? 'default' : 'reduce-overhead'
  const compiled = compile((...given: Tensor[]) => callOn(each, given, device)(), { mode })
  return { eager, compiled: () => compiled(...inputs) }
}

function first(each: SurveyCase, { eager, compiled }: Ways, inputs: readonly Tensor[]): Line {
  const one = timed(eager)
  const other = compiled === null ? null : timed(compiled)
  const results = one.result
  const probe = probeOf(results)
  const wrong = other === null || each.unordered ? null : compareProbes(probeOf(other.result), probe)
  const written = results.reduce((sum, { shape, dtype }) => sum + elementsOf(shape) * itemBytes(dtype), 0)
  const table = tensorsIn(each.args).some(({ picked }) => picked) ? written : 0
  const seed = each.variables === null ? 0 : inputs.at(-1)!.numel() * itemBytes(inputs.at(-1)!.dtype)
  return {
    id: each.id,
    first: { eager: one.ms, ...(other !== null && { compiled: other.ms }) },
    bytes: bytesRead(each.args, itemBytes) + written + table + seed,
    ...(each.unordered ? {} : { probe }),
    ...(wrong !== null && { wrong }),
  }
}

async function timesOf(calls: readonly (() => void)[], device: Device): Promise<readonly Times[]> {
  const gpu = gpuOfDevice(device)
  const once = calls.map(call => timed(call).ms)
  if (once.some(ms => ms > slowMilliseconds))
    return once.map(ms => ({ call: ms * 1000, device: gpu === null ? null : ms * 1000 }))
  const contenders = calls.map((call, i) => ({ name: `${i}`, call }))
  const times = await compareCalls(contenders, { samples, seconds: seconds * calls.length, gpu })
  return times.map(({ call, device: there }) => ({
    call: call.median / 1000,
    device: there === null ? null : there.median / 1000,
  }))
}

/** The tensors among the arguments, and the gradient of the result where the call is differentiated. */
function inputsOf(each: SurveyCase, device: Device): readonly Tensor[] {
  const tensors = [...new Set(tensorsIn(each.args))]
  const inputs = tensors.map((tensor, i) => makeInput(tensor, i, device))
  if (each.variables === null) return inputs
  const [{ dtype, shape }] = opOn(each, inputs, device)() as readonly [Tensor]
  for (const tensor of each.variables) inputs[tensors.indexOf(tensor)]!.requiresGrad = true
  const gradient = new TensorArgument(dtype as TensorDtype, shape, normal)
  return [...inputs, makeInput(gradient, inputs.length, device)]
}

async function run(each: SurveyCase, device: Device, isTimed: boolean): Promise<Line> {
  const inputs = scope(() => inputsOf(each, device))
  try {
    const ways = waysOf(each, inputs, device)
    if (kept.length === 0) kept.push(ways)
    const line = scope(() => first(each, ways, inputs))
    if (!isTimed) return line
    const calls = [ways.eager, ...(ways.compiled === null ? [] : [ways.compiled])].map(call => freeing(call, inputs))
    const [eager, compiled] = await timesOf(calls, device)
    return { ...line, eager: eager!, ...(compiled && { compiled }) }
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
