import { readFileSync } from 'node:fs'
import { afterEach, expect, it, vi } from 'vitest'
import { version } from '../../src/base/version.js'
import { CpuDevice, cpuDevice } from '../../src/runtime/cpu/device.js'
import { type CpuProbe, cpuTarget } from '../../src/target/cpu.js'
import { kernelHeader, kernelSource, runFixture, testCache, testFolder } from './support.js'

afterEach(() => {
  vi.unstubAllEnvs()
})

it('importing and creating the device opens no native library, creates no folder and starts no process', async () => {
  const folder = `${testFolder()}/cache`
  const result = await runFixture('import-only.ts', [folder], { TEGULA_CACHE_DIR: folder, TEGULA_CC: '/nowhere' })
  expect(result).toEqual({ status: 0, output: 'untouched' })
})

it('is one per process', () => {
  expect(cpuDevice()).toBe(cpuDevice())
  expect(cpuDevice().name).toBe('cpu')
})

it('warms up and loads modules without blocking', async () => {
  const device = new CpuDevice({ cache: testCache() })
  await device.warmup()
  expect(device.toolchain.stats.compiled).toBe(1)
  const module = await device.loadModuleAsync(kernelHeader + kernelSource('nothing', ''))
  device.stepList([{ kernel: module.symbol('nothing'), args: 0 }]).run()
  expect(device.toolchain.stats).toMatchObject({ compiled: 2, loaded: 0 })
})

it('returns the facts of its target, with a compiler and without', () => {
  const withCompiler = new CpuDevice({ cache: testCache() })
  const target = cpuTarget(withCompiler.facts)
  expect(target.cores).toBeGreaterThan(0)
  expect(target.l1Bytes).toBeLessThan(target.l2Bytes)
  vi.stubEnv('TEGULA_CC', '/nowhere')
  const without = new CpuDevice({ cache: testCache() })
  const { vectorBytes, fma, convertF16 } = cpuTarget(without.facts)
  expect({ vectorBytes, fma, convertF16 }).toEqual({
    vectorBytes: target.vectorBytes,
    fma: target.fma,
    convertF16: target.convertF16,
  })
  expect(without.allocator.allocate(8).byteLength).toBe(8)
})

it.each([
  ['x64', ['SSE2'], { vectorBytes: 16, vectorRegisters: 16, fma: false, convertF16: false }],
  [
    'x64',
    ['SSE2', 'AVX', 'AVX2', 'FMA', 'F16C'],
    { vectorBytes: 32, vectorRegisters: 16, fma: true, convertF16: true },
  ],
  ['x64', ['AVX', 'AVX512F', 'AVX512VL', 'FMA'], { vectorBytes: 64, vectorRegisters: 32, fma: true, dotBf16: false }],
  ['x64', ['AVX512F', 'AVX512BF16', 'AVX512FP16'], { dotBf16: true, dotI8: false, nativeF16: true }],
  ['arm64', ['ARM_NEON'], { vectorBytes: 16, vectorRegisters: 32, fma: true, convertF16: true, nativeF16: false }],
] as const)('derives the target of %s with %j', (arch, features, expected) => {
  const probe: CpuProbe = { arch, model: 'm', cores: 2, features, l1Bytes: 0, l2Bytes: 0, l3Bytes: 0 }
  const target = cpuTarget(probe)
  expect(target).toMatchObject(expected)
  expect([target.l1Bytes, target.l2Bytes, target.l3Bytes].every(bytes => bytes > 0)).toBe(true)
})

it('the version in cache keys is the version of the package', () => {
  const file = new URL('../../package.json', import.meta.url)
  expect(version).toBe((JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version)
})
