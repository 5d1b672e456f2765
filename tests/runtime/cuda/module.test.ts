import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { CudaComputeDevice } from '../../../src/backends/cuda/device.js'
import { CompilerError, DeviceError } from '../../../src/base/errors.js'
import { artifactOf, runPipeline } from '../../../src/compile/pipeline.js'
import { splitKernels } from '../../../src/runtime/cuda/assembler.js'
import { readAssemblerLog } from '../../../src/runtime/cuda/assembler-log.js'
import { OutOfResources } from '../../../src/runtime/cuda/context.js'
import { CudaDevice } from '../../../src/runtime/cuda/device.js'
import { graphOn } from '../../schedule/build.js'
import { runFixture } from '../support.js'
import { openFake, ptx, skipReason } from './support.js'

const fake = openFake()
afterAll(() => fake?.close())

describe.skipIf(fake === null)(`modules (${skipReason})`, () => {
  it('assembles once per text, driver and device, across processes', () => {
    const text = ptx(['fill'], { extra: `// ${Math.random()}` })
    fake!.device().loadModule(text)
    expect(fake!.get('assemblies')).toBe(1)
    fake!.device().loadModule(text)
    expect(fake!.get('assemblies')).toBe(0)
    expect(fake!.get('modules')).toBe(1)
    fake!.device({ version: 12040 }).loadModule(text)
    expect(fake!.get('assemblies')).toBe(1)
    fake!.device({ capability: 89 }).loadModule(text)
    expect(fake!.get('assemblies')).toBe(1)
  })

  it("keeps the assembler's log, also from the cache", () => {
    const extra = [
      `// ${Math.random()}`,
      "//log ptxas info    : Compiling entry function 'fill' for 'sm_80'",
      '//log     8 bytes stack frame, 16 bytes spill stores, 24 bytes spill loads',
      '//log ptxas info    : Used 40 registers',
    ].join('\n')
    const spilled = { name: 'fill', registers: 40, spillStoreBytes: 16, spillLoadBytes: 24, serialized: null }
    for (let i = 0; i < 2; i++) {
      const module = fake!.device().loadModule(ptx(['fill', 'add'], { extra }))
      expect(module.report.kernels).toEqual([spilled])
      expect(module.kernel('fill')).toMatchObject({ name: 'fill', registers: 32, assembled: spilled })
      expect(module.kernel('add').assembled).toBeNull()
      expect(module.kernel('fill')).toBe(module.kernel('fill'))
    }
  })

  it('loads architecture-specific code', () => {
    expect(
      fake!
        .device()
        .loadModule(ptx(['fill'], { target: 'sm_90a' }))
        .kernel('fill').handle,
    ).toBeGreaterThan(0)
  })

  it.each([
    ['8.5', 82, 12020, 'the driver (CUDA 12.2) is too old for PTX 8.5, which the code needs (CUDA 12.5 or newer)'],
    ['8.7', 80, 12000, 'the driver (CUDA 12.0) is too old for PTX 8.7, which the code needs (CUDA 12.8 or newer)'],
    ['9.0', 88, 12090, 'the driver (CUDA 12.9) is too old for PTX 9.0, which the code needs (CUDA 13.0 or newer)'],
  ])('PTX %s needs a newer driver', (version, known, driver, message) => {
    const device = fake!.device({ ptx: known, version: driver })
    const load = () => device.loadModule(ptx(['fill'], { version }))
    expect(load).toThrow(DeviceError)
    expect(load).toThrow(message)
    expect(load).toThrow('fix: update the NVIDIA driver')
    expect(device.loadModule(ptx(['fill'])).kernel('fill').name).toBe('fill')
  })

  it.each(['sm_90a', 'sm_90'])('code for %s does not run on an older device', target => {
    const load = () => fake!.device({ capability: 80 }).loadModule(ptx(['fill'], { target }))
    expect(load).toThrow(`code for ${target} does not run on this device, which has compute capability 8.0`)
  })

  it("shows the assembler's message about bad code", () => {
    const load = () => fake!.device().loadModule(ptx(['fill'], { extra: 'syntax_error' }))
    expect(load).toThrow(CompilerError)
    expect(load).toThrow(/the driver's assembler refuses the PTX:\nptxas application ptx input, line 7/)
  })

  it('reports code that needs too many registers as a limit of the device, not an error in the code', () => {
    const load = () => fake!.device().loadModule(ptx(['fill'], { extra: 'many_registers' }))
    expect(load).toThrow(OutOfResources)
    expect(load).toThrow(/a kernel needs more registers than the device has:\n.*Register allocation failed/)
    expect(load).toThrow('fix: use smaller tiles or fewer warps')
  })

  it('a kernel that does not exist', () => {
    expect(() =>
      fake!
        .device()
        .loadModule(ptx(['fill']))
        .kernel('nothing'),
    ).toThrow(/the module has nothing of that name \(CUDA_ERROR_NOT_FOUND\) while looking up kernel nothing/)
  })

  it('reports how many blocks fit on an SM', () => {
    const module = fake!.device().loadModule(ptx(['fill']))
    expect(module.blocksPerMultiprocessor(module.kernel('fill'), 256, 100 * 1024)).toBe(2)
  })
})

describe.skipIf(fake === null)(`assembling on workers (${skipReason})`, () => {
  const names = ['fill', 'add', 'scale', 'echo']
  const large = (extra = ''): string => ptx(names, { extra: `${extra}// ${Math.random()} ${'.'.repeat(50_000)}` })

  it('does not block the event loop', async () => {
    const device = fake!.device()
    await device.loadModuleAsync(ptx(['other'])) // starts a worker
    fake!.set('assembly_ms', 60)
    let ticks = 0
    const timer = setInterval(() => ticks++, 1)
    const module = await device.loadModuleAsync(ptx(names, { extra: `// ${Math.random()}` }))
    clearInterval(timer)
    expect(ticks).toBeGreaterThanOrEqual(5)
    for (const name of names) expect(module.kernel(name).name).toBe(name)
  })

  it('distributes large texts while this thread waits', () => {
    const text = large(
      "//log ptxas info    : Compiling entry function 'add' for 'sm_80'\n//log ptxas info    : Used 9 registers\n",
    )
    for (const assemblies of [names.length, 0]) {
      const device = fake!.device()
      const module = device.loadModule(text)
      expect(fake!.get('assemblies')).toBe(assemblies)
      expect(fake!.get('worker_assemblies')).toBe(assemblies)
      for (const name of names) expect(module.kernel(name).handle).toBeGreaterThan(0)
      expect(module.kernel('add').assembled?.registers).toBe(9)
      expect(() => module.kernel('fil')).toThrow(/CUDA_ERROR_NOT_FOUND/)
    }
  })

  it('works inside a capture', () => {
    const { result } = fake!.device().captureGraph(({ pool }) => pool.pool.bytes)
    expect(result).toBe(0)
    const device = fake!.device()
    expect(device.captureGraph(() => device.loadModule(large()).kernel('fill').name).result).toBe('fill')
  })

  it('reports errors as on this thread', async () => {
    const device = fake!.device()
    expect(() => device.loadModule(large('syntax_error '))).toThrow(/refuses the PTX:\nptxas application ptx input/)
    await expect(device.loadModuleAsync(ptx(['fill'], { extra: 'syntax_error' }))).rejects.toThrow(CompilerError)
    await expect(device.loadModuleAsync(ptx(['fill'], { version: '9.7' }))).rejects.toThrow(DeviceError)
  })

  it('gives up on an assembler that hangs, names its kernels, and starts again', async () => {
    const device = fake!.device()
    await device.loadModuleAsync(large()) // the workers are there
    vi.stubEnv('TEGULA_COMPILE_TIMEOUT', '0.2')
    fake!.set('assembly_ms', 1500)
    const slow =
      /the driver's assembler did not finish a text within 0\.2 s, of 4 kernels \(fill, add, scale, echo\).*fix: set TEGULA_COMPILE_TIMEOUT/
    try {
      expect(() => device.loadModule(large())).toThrow(CompilerError)
      await expect(device.loadModuleAsync(large())).rejects.toThrow(slow)
      fake!.set('assembly_ms', 0)
      vi.stubEnv('TEGULA_COMPILE_TIMEOUT', '')
      expect(device.loadModule(large()).kernel('fill').name).toBe('fill')
    } finally {
      vi.unstubAllEnvs()
    }
    // The abandoned workers go on with what they were sent: the tests below must not count it.
    const sent = 4 * names.length
    await vi.waitFor(() => expect(fake!.get('assemblies')).toBe(sent), { timeout: 60_000, interval: 50 })
  })

  it('a process whose assembler hangs still ends', async () => {
    const started = performance.now()
    const { status, output } = await runFixture('stuck-assembler.ts', [fake!.path], {
      TEGULA_COMPILE_TIMEOUT: '1',
      TEGULA_CACHE_DIR: fake!.folder,
    })
    expect([status, output]).toEqual([3, expect.stringContaining('did not finish a text within 1 s, of 2 kernels')])
    expect(performance.now() - started).toBeLessThan(60_000) // the assembler takes an hour
  })

  it('falls back to this thread where a worker cannot start', async () => {
    const driver = fake!.driver()
    const moved = Object.create(driver, { path: { value: '/nowhere' } }) as typeof driver
    const device = new CudaDevice(0, { driver: moved, cache: fake!.cache() })
    const module = await device.loadModuleAsync(ptx(['fill'], { extra: `// ${Math.random()}` }))
    expect(module.kernel('fill').name).toBe('fill')
    expect(fake!.get('worker_assemblies')).toBe(0)
  })

  it('splits a text and keeps the header with each part', () => {
    const text = ptx(names)
    expect(splitKernels(ptx(['one']))).toEqual([ptx(['one'])])
    const parts = splitKernels(text)
    expect(parts).toHaveLength(names.length)
    for (const part of parts) expect(part.startsWith('.version 8.0\n.target sm_80')).toBe(true)
    const found = parts.flatMap(part => [...part.matchAll(/\.entry (\w+)/g)].map(match => match[1]))
    expect(found).toEqual(names)
  })

  it('assembles kernels ahead of the text that holds them, once that is worth it', async () => {
    const text = large()
    const parts = splitKernels(text)
    const device = fake!.device()
    const add = device.assembler.ahead()
    add(parts[0]!)
    expect(fake!.get('assemblies')).toBe(0) // it may be the only one
    for (const part of parts.slice(1, 3)) add(part)
    while (fake!.get('assemblies') < 3) await new Promise(resolve => setTimeout(resolve, 1))
    const module = device.loadModule(text)
    expect(fake!.get('assemblies')).toBe(4)
    for (const name of names) expect(module.kernel(name).name).toBe(name)
    const other = device.assembler.ahead()
    const bad = large('syntax_error ')
    for (const part of splitKernels(bad)) other(part)
    expect(() => device.loadModule(bad)).toThrow(/refuses the PTX/)
  })

  it("assembles a plan's kernels while they are generated, and none again", () => {
    const device = new CudaComputeDevice(fake!.device())
    const b16 = (...shape: number[]) => ({ dtype: 'bf16', shape }) as const
    const graph = graphOn([b16(256, 512), b16(512, 1024), b16(1024, 128)], (op, x, w, b) => [
      op('matmul', op('softmax', op('matmul', x, w), -1), b),
    ])
    const stages = runPipeline(graph, device.target, {}, device.compileAhead())
    expect(stages.launches.kernels.length).toBeGreaterThan(2)
    device.machine(artifactOf(stages))
    expect(fake!.get('worker_assemblies')).toBe(stages.launches.kernels.length)
  })

  it('small kernels are not assembled ahead', () => {
    const device = fake!.device()
    const add = device.assembler.ahead()
    for (const part of splitKernels(ptx(names))) add(part)
    device.loadModule(ptx(names))
    expect([fake!.get('assemblies'), fake!.get('worker_assemblies')]).toEqual([1, 0])
  })
})

describe("the assembler's log", () => {
  it('names kernels whose matrix pipelines are serialised', () => {
    const loss =
      "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due to insufficient register resources for the wgmma pipeline in the function 'gemm'"
    const log = [
      "ptxas info    : Compiling entry function 'gemm' for 'sm_90a'",
      loss,
      'ptxas warning : something',
    ].join('\n')
    const { kernels, warnings } = readAssemblerLog(log)
    expect(kernels).toEqual([{ name: 'gemm', registers: 0, spillStoreBytes: 0, spillLoadBytes: 0, serialized: loss }])
    expect(warnings).toEqual(['something'])
    expect(readAssemblerLog('')).toEqual({ kernels: [], warnings: [] })
  })

  const assembler = hasPtxas()
  it.skipIf(!assembler)('reads the log of ptxas itself (needs ptxas)', () => {
    const folder = mkdtempSync(join(tmpdir(), 'tegula-ptxas-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const text = ptx(['first', 'second'], { version: '7.0' })
    writeFileSync(join(folder, 'a.ptx'), text)
    const run = execFileSync('sh', ['-c', 'ptxas -v -arch=sm_80 a.ptx -o a.cubin 2>&1'], {
      cwd: folder,
      encoding: 'utf8',
    })
    const { kernels } = readAssemblerLog(run)
    expect(kernels.map(({ name }) => name).sort()).toEqual(['first', 'second'])
    expect(kernels.every(({ registers }) => registers > 0)).toBe(true)
  })
})

function hasPtxas(): boolean {
  try {
    execFileSync('ptxas', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
