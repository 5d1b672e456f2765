/**
 * Checks the driver on the present GPU: correct results of launches, graphs, captures, streams and copies, and the
 * cost of each, as JSON lines on stdout. Exits with 1 if a result is wrong. `npx tsx scripts/gpu/driver-check.ts [index]`
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DiskCache } from '../../src/cache/disk-cache.js'
import { Assembler } from '../../src/runtime/cuda/assembler.js'
import { AssemblerPool } from '../../src/runtime/cuda/assembler-pool.js'
import type { CudaBlock } from '../../src/runtime/cuda/block.js'
import { CudaDevice } from '../../src/runtime/cuda/device.js'
import type { CudaModule } from '../../src/runtime/cuda/module.js'
import type { StepList } from '../../src/runtime/cuda/steps.js'
import { wordArguments } from '../../src/types/argument-layout.js'

const entry = (name: string, args: number, body: string, early = false): string => {
  const params = Array.from({ length: args + 3 }, (_, i) => `.param .u64 a${i}`).join(', ')
  return `.visible .entry ${name}(${params})
{
  .reg .pred %p<4>;
  .reg .b32 %r<8>;
  .reg .b64 %d<16>;
  .reg .f32 %f<4>;
  .reg .f64 %g<2>;
${early ? '  griddepcontrol.launch_dependents;\n  griddepcontrol.wait;' : ''}
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.wide.u32 %d1, %r1, %r2, 0;
  cvt.u64.u32 %d2, %r3;
  add.u64 %d1, %d1, %d2;
${body}
done:
  ret;
}
`
}

const guard = (count: string): string => `  ld.param.u64 %d3, [${count}];
  setp.ge.u64 %p1, %d1, %d3;
  @%p1 bra done;
  shl.b64 %d4, %d1, 2;
`

/** fill(out, n, value), add(a, b, out, n), spin(nanoseconds), stray(): all on f32. */
const kernels = (target: string, version: string, early = false): string =>
  [
    `.version ${version}\n.target ${target}\n.address_size 64`,
    entry(
      'fill',
      3,
      `${guard('a1')}  ld.param.u64 %d5, [a0];
  ld.param.f64 %g1, [a2];
  cvt.rn.f32.f64 %f1, %g1;
  add.u64 %d5, %d5, %d4;
  st.global.f32 [%d5], %f1;`,
      early,
    ),
    entry(
      'add',
      4,
      `${guard('a3')}  ld.param.u64 %d5, [a0];
  ld.param.u64 %d6, [a1];
  ld.param.u64 %d7, [a2];
  add.u64 %d5, %d5, %d4;
  add.u64 %d6, %d6, %d4;
  add.u64 %d7, %d7, %d4;
  ld.global.f32 %f1, [%d5];
  ld.global.f32 %f2, [%d6];
  add.rn.f32 %f1, %f1, %f2;
  st.global.f32 [%d7], %f1;`,
      early,
    ),
    entry(
      'spin',
      1,
      `  ld.param.u64 %d3, [a0];
  mov.u64 %d4, %globaltimer;
again:
  mov.u64 %d5, %globaltimer;
  sub.u64 %d5, %d5, %d4;
  setp.lt.u64 %p1, %d5, %d3;
  @%p1 bra again;`,
    ),
    entry('stray', 1, '  mov.u64 %d3, 64;\n  st.global.u64 [%d3], %d1;'),
  ].join('\n')

const folder = mkdtempSync(join(tmpdir(), 'tegula-driver-check-'))
const cache = (): DiskCache => DiskCache.open({ folder })
const device = new CudaDevice(Number(process.argv[2] ?? 0), { cache: cache() })
const { streams, allocator, transfers } = device
const main = streams.main
const wrong: string[] = []

const now = (): number => performance.now() * 1e6
function nanoseconds(times: number, body: () => void): number {
  const start = now()
  for (let i = 0; i < times; i++) body()
  return (now() - start) / times
}
/** Milliseconds on the device from the start to the end of the work that `body` queues. */
function deviceMs(body: () => void, stream = main): number {
  const [first, last] = [device.event({ timing: true }), device.event({ timing: true })]
  first.record(stream)
  body()
  last.record(stream)
  last.synchronize()
  return last.millisecondsSince(first)
}
const best = (times: number, measure: () => number): number => Math.min(...Array.from({ length: times }, measure))
const round = (value: number): number => Number(value.toPrecision(4))

function expectFloat(name: string, block: CudaBlock, value: number): void {
  const bytes = transfers.downloadSync(block, 0, block.byteLength, streams.current)
  const floats = new Float32Array(bytes.buffer)
  const at = floats.findIndex(found => found !== value)
  if (at >= 0) wrong.push(`${name}: element ${at} is ${floats[at]}, not ${value}`)
}

const count = 1 << 16
const blocksOf = (n: number): [number, number, number] => [Math.ceil(n / 256), 1, 1]

/** fill a with 1, b with 2, then c = a + b, and c = c + b for the rest. */
function chain(module: CudaModule, adds: number, n: number): { list: StepList; out: CudaBlock } {
  const [a, b, c] = [0, 1, 2].map(() => allocator.allocate(n * 4)) as [CudaBlock, CudaBlock, CudaBlock]
  const grid = blocksOf(n)
  const fill = { kind: 'kernel', kernel: module.kernel('fill'), args: wordArguments(3), threads: 256, grid } as const
  const add = { kind: 'kernel', kernel: module.kernel('add'), args: wordArguments(4), threads: 256, grid } as const
  const list = device.stepList([fill, fill, ...Array.from({ length: adds }, () => add)])
  for (const [step, block] of [a, b].entries()) {
    list.setPointer(step, 0, block.address)
    list.setInt(step, 1, n)
    list.setFloat(step, 2, step + 1)
  }
  for (let i = 0; i < adds; i++) {
    list.setPointer(2 + i, 0, (i === 0 ? a : c).address)
    list.setPointer(2 + i, 1, b.address)
    list.setPointer(2 + i, 2, c.address)
    list.setInt(2 + i, 3, n)
  }
  return { list, out: c }
}

function modules() {
  const { capability, driverVersion } = device.facts
  const text = kernels('sm_80', '7.0')
  const coldMs = nanoseconds(1, () => void device.assembler.assemble(text)) / 1e6
  const warmMs = nanoseconds(1, () => void device.assembler.assemble(text)) / 1e6
  const start = now()
  const module = device.loadModule(text)
  const loadMs = (now() - start) / 1e6
  const fill = module.kernel('fill')
  const facts = { registers: fill.registers, localBytes: fill.localBytes, maxThreads: fill.maxThreads }
  const occupancy = module.blocksPerMultiprocessor(fill, 256, 0)
  const exact = capability === 90 ? device.loadModule(kernels('sm_90a', '8.0')).report : null
  return {
    driverVersion,
    coldMs,
    warmMs,
    loadMs,
    facts,
    occupancy,
    log: module.log,
    report: module.report,
    exact,
    module,
  }
}

/** Assembles eight expensive kernels: on this thread, distributed to workers, and in the background. */
async function assembly() {
  const lines = Array.from({ length: 150 }, (_, i) => {
    return `  ld.global.f32 %f2, [%d4+${i * 4}];\n  fma.rn.f32 %f1, %f1, %f2, %f2;\n  sqrt.rn.f32 %f1, %f1;`
  })
  const text = (stamp: string): string => {
    const heavy = (i: number): string =>
      entry(
        `heavy${i}`,
        3,
        `${guard('a1')}  mov.f32 %f1, 0f3f800000;\n${lines.join('\n')}\n  st.global.f32 [%d4], %f1;`,
      )
    return [
      `.version 7.0\n.target sm_80\n.address_size 64\n// ${stamp}`,
      ...Array.from({ length: 8 }, (_, i) => heavy(i)),
    ].join('\n')
  }
  const one = new Assembler(device.context, cache(), new AssemblerPool(device.context, 1))
  const many = new Assembler(device.context, cache(), new AssemblerPool(device.context))
  const hereMs = nanoseconds(1, () => void one.assemble(text('here'))) / 1e6
  const coldWorkersMs = nanoseconds(1, () => void many.assemble(text('cold workers'))) / 1e6
  const workersMs = nanoseconds(1, () => void many.assemble(text('workers'))) / 1e6
  let ticks = 0
  const timer = setInterval(() => ticks++, 1)
  const start = now()
  await many.assembleAsync(text('background'))
  clearInterval(timer)
  return { hereMs, coldWorkersMs, workersMs, backgroundMs: (now() - start) / 1e6, ticks }
}

function launches(module: CudaModule) {
  const { list, out } = chain(module, 998, 1024)
  list.run(main)
  expectFloat('launches', out, 1 + 998 * 2)
  const hostNs = best(5, () => nanoseconds(1, () => list.run(main)) / list.length)
  device.synchronize()
  const deviceNs = best(5, () => deviceMs(() => list.run(main)) * 1e6) / list.length
  return { hostNs, deviceNs }
}

function graphs(module: CudaModule) {
  const { list, out } = chain(module, 998, 1024)
  const start = now()
  const graph = device.stepGraph(list)
  const { early } = graph // before a step is empty
  const buildMs = (now() - start) / 1e6
  graph.launch(main)
  expectFloat('graph', out, 1 + 998 * 2)
  const launchNs = best(5, () => {
    device.synchronize()
    return nanoseconds(1, () => graph.launch(main))
  })
  const nodeNs = best(5, () => deviceMs(() => graph.launch(main)) * 1e6) / list.length
  list.setFloat(0, 2, 5)
  graph.launch(main)
  expectFloat('graph after an update', out, 5 + 998 * 2)
  let value = 0
  const updateAllNs = best(3, () => {
    value++
    device.synchronize()
    for (let step = 2; step < list.length; step++) list.setGrid(step, 4 + (value % 2), 1, 1)
    return nanoseconds(1, () => graph.launch(main))
  })
  list.setGrid(1, 0, 1, 1)
  list.setGrid(0, 0, 1, 1)
  graph.launch(main)
  expectFloat('graph with empty steps', out, 5 + 998 * 2)
  const { bytes, nodes } = graph
  graph.destroy()
  return { early, nodes, bytes, buildMs, launchNs, nodeNs, updateNodeNs: (updateAllNs - launchNs) / 998 }
}

function memoryNodes() {
  const a = allocator.allocate(1 << 20)
  const b = allocator.allocate(1 << 20)
  const list = device.stepList([{ kind: 'fill', elementBytes: 4 }, { kind: 'copy' }, { kind: 'fill', elementBytes: 1 }])
  const graph = device.stepGraph(list)
  graph.launch(main)
  list.setPointer(0, 0, a.address)
  list.setInt(0, 1, new Uint32Array(Float32Array.of(3).buffer)[0]!)
  list.setInt(0, 2, 1 << 18)
  list.setPointer(1, 0, b.address)
  list.setPointer(1, 1, a.address)
  list.setInt(1, 2, 1 << 20)
  graph.launch(main)
  expectFloat('a copy node', b, 3)
  list.run(main)
  expectFloat('a copy step', b, 3)
  graph.destroy()
  return allocator.stats()
}

function captures(module: CudaModule) {
  const { list, out } = chain(module, 10, count)
  const side = streams.next()
  const { graph, result } = device.captureGraph(() => {
    list.run(streams.current)
    const extra = allocator.allocate(count * 4)
    const ones = device.loadModule(kernels('sm_80', '7.1')).kernel('fill') // loads a module inside the capture
    const fill = device.stepList([
      { kind: 'kernel', kernel: ones, args: wordArguments(3), threads: 256, grid: blocksOf(count) },
    ])
    fill.setPointer(0, 0, extra.address)
    fill.setInt(0, 1, count)
    fill.setFloat(0, 2, 9)
    streams.run(side, () => fill.run(side))
    return extra
  })
  graph.launch()
  graph.launch()
  expectFloat('a captured graph', out, 21)
  expectFloat('a captured graph on a side stream', result, 9)
  const { nodes, bytes } = graph
  graph.destroy()
  return { nodes, bytes }
}

function copies() {
  const bytes = 1 << 30
  const [a, b] = [allocator.allocate(bytes), allocator.allocate(bytes)]
  transfers.fill(a, 0, bytes, 1, main)
  const copyMs = best(10, () => deviceMs(() => transfers.copy(b, 0, a, 0, bytes, main)))
  const host = new Uint8Array(256 << 20).fill(7)
  const upMs = best(3, () => {
    const start = now()
    transfers.upload(b, 0, host, main)
    device.synchronize()
    return (now() - start) / 1e6
  })
  let downMs = Number.POSITIVE_INFINITY
  for (let i = 0; i < 3; i++) {
    const start = now()
    const back = transfers.downloadSync(b, 0, host.length, main)
    downMs = Math.min(downMs, (now() - start) / 1e6)
    if (!Buffer.from(back.buffer).equals(Buffer.from(host.buffer))) wrong.push('a large copy came back changed')
  }
  allocator.release(a)
  allocator.release(b)
  const rate = (n: number, ms: number): number => n / ms / 1e6
  return {
    deviceGBs: rate(2 * bytes, copyMs),
    uploadGBs: rate(host.length, upMs),
    downloadGBs: rate(host.length, downMs),
  }
}

function allocations() {
  const fromDriverUs = nanoseconds(1, () => allocator.release(allocator.allocate(100 << 20))) / 1e3
  const cachedNs = nanoseconds(100_000, () => allocator.release(allocator.allocate(1 << 20)))
  const keptNs = nanoseconds(10_000, () => void allocator.allocate(4096))
  const collectMs = nanoseconds(1, () => void allocator.collect()) / 1e6
  return { fromDriverUs, cachedNs, keptNs, collectMs }
}

async function reads(module: CudaModule) {
  const block = allocator.allocate(4)
  transfers.fill(block, 0, 4, 0, main)
  await transfers.download(block, 0, 4, main)
  const times = 1000
  const start = now()
  for (let i = 0; i < times; i++) await transfers.download(block, 0, 4, main)
  const asyncUs = (now() - start) / times / 1e3
  const syncUs = nanoseconds(times, () => void transfers.downloadSync(block, 0, 4, main)) / 1e3
  const spin = device.stepList([{ kind: 'kernel', kernel: module.kernel('spin'), args: wordArguments(1), threads: 32 }])
  spin.setInt(0, 0, 200e6)
  let ticks = 0
  const timer = setInterval(() => ticks++, 1)
  spin.run(main)
  const cpu = process.cpuUsage()
  await transfers.download(block, 0, 4, main)
  const cpuMs = (({ user, system }) => (user + system) / 1e3)(process.cpuUsage(cpu))
  clearInterval(timer)
  return { asyncUs, syncUs, ticksDuring200Ms: ticks, cpuMsDuring200Ms: cpuMs, workerResult: await workerResult(spin) }
}

/** The driver's answers to a thread that never entered the context. */
function workerResult(spin: StepList): Promise<number> {
  const event = device.event()
  spin.setInt(0, 0, 5e6)
  spin.run(main)
  event.record(main)
  return new Promise(resolve => device.context.driver.waitForEvent(event.handle, resolve))
}

function overlap(module: CudaModule) {
  const two = [streams.next(), streams.next()]
  const spins = two.map(() =>
    device.stepList([{ kind: 'kernel', kernel: module.kernel('spin'), args: wordArguments(1), threads: 32 }]),
  )
  const start = now()
  for (const [i, spin] of spins.entries()) {
    spin.setInt(0, 0, 20e6)
    spin.run(two[i]!)
  }
  device.synchronize()
  return { twoTimes20Ms: (now() - start) / 1e6 }
}

function errors(module: CudaModule) {
  const message = (body: () => void): string => {
    try {
      body()
      return 'no error'
    } catch (error) {
      return error instanceof Error ? error.message : String(error)
    }
  }
  const outOfMemory = message(() => allocator.allocate(2 ** 42))
  const { list, out } = chain(module, 1, count)
  list.run(main)
  expectFloat('work after an out-of-memory error', out, 3)
  const newPtx = message(() => void device.loadModule(kernels('sm_80', '9.9')))
  const badPtx = message(() => void device.loadModule(kernels('sm_80', '7.0').replace('shl.b64', 'shl.nonsense')))
  const stray = device.stepList([
    { kind: 'kernel', kernel: module.kernel('stray'), args: wordArguments(1), threads: 32 },
  ])
  const illegal = message(() => {
    stray.run(main)
    device.synchronize()
  })
  return { outOfMemory, newPtx, badPtx, illegal, afterwards: message(() => device.synchronize()) }
}

const rounded = (_: string, value: unknown): unknown => (typeof value === 'number' ? round(value) : value)

/** Prints each part's findings at once, so that a later part that hangs or fails does not hide them. */
async function part(name: string, measure: () => unknown): Promise<void> {
  let found: unknown
  try {
    found = await measure()
  } catch (error) {
    found = error instanceof Error ? error.stack : String(error)
    wrong.push(`${name} failed`)
  }
  console.log(JSON.stringify({ [name]: found }, rounded))
}

try {
  console.log(JSON.stringify({ facts: device.facts }))
  const { module, ...made } = modules()
  await part('modules', () => made)
  await part('assembly', assembly)
  await part('launches', () => launches(module))
  await part('graphs', () => graphs(module))
  if (device.facts.capability >= 90) {
    const early = device.loadModule(kernels('sm_90', '7.8', true))
    await part('launches, starting early', () => launches(early))
    await part('graphs, starting early', () => graphs(early))
  }
  await part('memoryNodes', memoryNodes)
  await part('captures', () => captures(module))
  await part('copies', copies)
  await part('allocations', allocations)
  await part('reads', () => reads(module))
  await part('overlap', () => overlap(module))
  await part('errors', () => errors(module))
  await part('wrong', () => wrong)
  process.exitCode = wrong.length === 0 ? 0 : 1
} finally {
  rmSync(folder, { recursive: true, force: true })
}
