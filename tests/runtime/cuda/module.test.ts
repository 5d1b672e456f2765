import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { CompilerError, DeviceError } from '../../../src/base/errors.js'
import { readAssemblerLog } from '../../../src/runtime/cuda/assembler-log.js'
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

  it('keeps what the assembler said, also when it comes from the cache', () => {
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

  it('shows what the assembler says about bad code', () => {
    const load = () => fake!.device().loadModule(ptx(['fill'], { extra: 'syntax_error' }))
    expect(load).toThrow(CompilerError)
    expect(load).toThrow(/the driver's assembler refuses the PTX:\nptxas application ptx input, line 7/)
  })

  it('a kernel that is not there', () => {
    expect(() =>
      fake!
        .device()
        .loadModule(ptx(['fill']))
        .kernel('nothing'),
    ).toThrow(/the module has nothing of that name \(CUDA_ERROR_NOT_FOUND\) while looking up kernel nothing/)
  })

  it('tells how many blocks fit on a multiprocessor', () => {
    const module = fake!.device().loadModule(ptx(['fill']))
    expect(module.blocksPerMultiprocessor(module.kernel('fill'), 256, 100 * 1024)).toBe(2)
  })
})

describe('the log of the assembler', () => {
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
