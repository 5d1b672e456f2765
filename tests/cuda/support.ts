/**
 * A GPU for tests of what people see: the machine's own, or, where there is none, the stand-in for libcuda with an
 * interpreter of PTX behind it, so that the same tests run everywhere, with right numbers, in one process of its own.
 */
import type { Tensor } from '../../src/index.js'
import { cudaDriver } from '../../src/runtime/cuda/driver.js'
import { bytesAt, koffi, NativeWords, textAt, viewOf } from '../../src/runtime/native.js'
import { changeDefaultDevice } from '../../src/tensor/device.js'
import { launchMapped, type Mapped, type Module, parse } from '../codegen/ptx/machine.js'
import { type Fake, openFake } from '../runtime/cuda/support.js'

export interface TestGpu {
  /** Null: a real GPU. */
  readonly fake: Fake | null
}

/** Null where there is neither a GPU nor what the stand-in needs. */
export function openGpu(): TestGpu | null {
  changeDefaultDevice('cpu') // tests of this folder say where their tensors are
  opened ??= open()
  return opened
}

let opened: TestGpu | null = null

function open(): TestGpu | null {
  if (hasGpu()) return { fake: null }
  const fake = openFake()
  if (fake === null) return null
  // Work may only run on this thread: the interpreter is JavaScript.
  fake.set('wait_needs_context', 1)
  // What is written to have nothing in the cache is written by the interpreter.
  fake.set('l2_kib', 4)
  interpretKernels(fake)
  process.env.TEGULA_LIBCUDA = fake.path
  return { fake }
}

export const needsGpuOrStandIn = 'needs a GPU, or Linux and a C compiler for the stand-in'

/** Whether a driver and a GPU are there. `describe.skipIf(!hasGpu())('… (no GPU here)', …)` */
export function hasGpu(): boolean {
  if (process.env.TEGULA_LIBCUDA !== undefined) return false
  try {
    cudaDriver()
    return true
  } catch {
    return false
  }
}

const mostRegions = 4096

/** Has the stand-in run the kernels of modules that Tegula generated. */
function interpretKernels(fake: Fake): void {
  const native = koffi()
  const library = native.load(fake.path)
  const proto = native.proto(
    'int TegulaRunner(uintptr_t text, uintptr_t name, uintptr_t args, uint32_t argc, uint32_t blocks, uint32_t shared)',
  )
  const list = new NativeWords(2 * mostRegions)
  const regions = library.func('int fake_regions(uintptr_t out, int most)')
  const views = new Map<string, DataView>()
  const modules = new Map<string, Module>()
  const memory = (): Mapped[] =>
    Array.from({ length: Math.min(mostRegions, regions(list.address, mostRegions) as number) }, (_, i) => {
      const [from, bytes] = [list.get(2 * i), list.get(2 * i + 1)]
      const view = views.get(`${from} ${bytes}`) ?? new DataView(viewOf(from, bytes))
      views.set(`${from} ${bytes}`, view)
      return { from, bytes: view }
    })
  const run = (text: number, name: number, args: number, argc: number, blocks: number, shared: number): number => {
    try {
      const source = textAt(text)
      const module = modules.get(source) ?? parse(source)
      modules.set(source, module)
      const entry = module.get(textAt(name))
      if (entry === undefined) throw new Error(`the module has no kernel ${textAt(name)} of a known form`)
      const words = new BigUint64Array(bytesAt(args, argc * 8).slice().buffer)
      launchMapped(entry, [...words], blocks, memory(), { sharedBytes: shared })
      return 0
    } catch (error) {
      process.stderr.write(`stand-in: kernel ${textAt(name)}: ${error instanceof Error ? error.message : error}\n`)
      return 1
    }
  }
  library.func('void fake_runner(TegulaRunner *runner)')(native.register(run, native.pointer(proto)))
}

/** The largest difference; `expected` may lie on the CPU, where numbers cost nothing. */
export function worst(got: Tensor, expected: Tensor): number {
  const [a, b] = [got.dataSync('f32'), expected.dataSync('f32')]
  return a.reduce((most, value, i) => Math.max(most, Math.abs(value - b[i]!)), a.length === b.length ? 0 : Number.NaN)
}
