/** People's kernels, exported functions and wrong input on a GPU. */
import { compile, exportCompiled, loadCompiled, randn, type Tensor, tensor, zeros, zerosLike } from 'tegula'
import { f32, i64, kernel, view } from 'tegula/kernel'
import { describe, expect, it } from 'vitest'
import { decodeExport, encodeExport } from '../../src/compile/export/export-format.js'
import { accumulate, evens, scale } from '../support/kernels.js'
import { needsGpuOrStandIn, openGpu, worst } from './support.js'

const gpu = openGpu()
const on = { device: 'cuda' } as const
const list = (t: Tensor): unknown => t.toArray()

describe.skipIf(gpu === null)(`kernels of people on a GPU (${needsGpuOrStandIn})`, () => {
  it('are launched on GPU tensors, including views', () => {
    const x = tensor([1, 2, 3, 4, 5, 6, 7], on)
    const out = zerosLike(x)
    scale.launch({ x, out, factor: 2 })
    expect(list(out)).toEqual([2, 4, 6, 8, 10, 12, 14])
    accumulate.launch({ x: x.slice([1, 4]), acc: out.slice([0, 3]) })
    expect(list(out)).toEqual([4, 7, 10, 8, 10, 12, 14])
  })

  it.each(['default', 'reduce-overhead'] as const)('are steps of compiled functions (%s)', mode => {
    const f = compile(
      (x: Tensor) => {
        const out = zerosLike(x)
        scale.launch({ x: x.add(1), out, factor: 3 })
        evens.launch({ x, out })
        return out.neg()
      },
      { mode, fullgraph: true },
    )
    const x = [1, 2, 3, 4, 5]
    expect(list(f(tensor(x, on)))).toEqual(list(f(tensor(x))))
  })

  it('do not read or write at indices near the limits of i64', () => {
    const shift = kernel({
      name: 'shift',
      params: { x: view(f32, 1), out: view(f32, 1), o: i64, n: i64 },
      grid: () => [1],
      body(t, { x, out, o, n }) {
        const block = t.load(x, [o], [8], { padding: 7 })
        const seen = t.iota(8).add(o).lt(n).where(block, 3)
        t.store(out, [0], seen)
        t.store(out, [o.add(4)], block, { ends: [o] })
        t.range(o, o.add(2), 1, i => t.store(out, [i], t.gather(x, [t.iota(8).add(i)])))
      },
    })
    const places = [0n, 4n, 9n].flatMap(n => [2n ** 63n - 1n - n, -(2n ** 63n) + n, -n, 2n ** 62n + n])
    for (const o of places) {
      const run = (device: 'cpu' | 'cuda'): unknown => {
        const [x, out] = [tensor([1, 2, 3, 4, 5, 6, 7, 8, 9], { device }), zeros([8], { device })]
        if (device === 'cuda') shift.launch({ x, out, o, n: 5 })
        else shift.interpret({ x, out, o, n: 5 })
        return list(out)
      }
      expect([o, run('cuda')]).toEqual([o, run('cpu')])
    }
  })

  it('show their PTX, for the present GPU and for named ones', () => {
    expect(scale.code('cuda')).toMatch(/\.target sm_\d+[\s\S]*\.entry scale\(/)
    expect(scale.code('ptx')).toBe(scale.code('cuda'))
    expect(scale.code('sm_80')).toContain('.target sm_80')
    expect(scale.code('sm_90a')).toContain('.target sm_90a')
    expect(() => scale.code('sm_70' as never)).toThrow(/no target 'sm_70' for kernel 'scale'.*sm_80/)
  })

  it('reject tensors on two devices, and interpret only on the CPU', () => {
    const [x, out] = [tensor([1, 2], on), tensor([0, 0])]
    expect(() => scale.launch({ x, out, factor: 1 })).toThrow(
      /tensors on different devices: f32\[2\] on cuda:0, f32\[2\] on cpu/,
    )
    expect(() => scale.interpret({ x, out: zerosLike(x), factor: 1 })).toThrow(/is on cuda:0.*x\.to\('cpu'\)/)
  })
})

describe.skipIf(gpu === null)(`exported functions for GPUs (${needsGpuOrStandIn})`, () => {
  const w = randn([8])
  const plain = (x: Tensor, w: Tensor): Tensor => x.mul(w).add(1)
  const exported = (): Uint8Array => {
    const weight = w.to('cuda')
    const f = compile((x: Tensor) => plain(x, weight), { dynamic: true, name: 'f' })
    f(randn([4, 8], on))
    return exportCompiled(f)
  }

  it('run without compiling, on aligned and on misaligned inputs of any size', () => {
    const g = loadCompiled<(x: Tensor) => Tensor>(exported())
    const x = randn([5, 8])
    expect(worst(g(x.to('cuda')), plain(x, w))).toBeLessThan(1e-6)
    const flat = randn([25])
    const shifted = flat.to('cuda').slice([1, 25]).reshape([3, 8])
    expect(worst(g(shifted), plain(flat.slice([1, 25]).reshape([3, 8]), w))).toBeLessThan(1e-6)
  })

  it('are rejected on another GPU, with the reason', () => {
    const read = decodeExport(exported(), 'here')
    const cuda = { needs: { model: 'Other GPU', capability: 75 }, files: [] }
    const bytes = encodeExport({ ...read, requires: { ...read.requires, backends: { cuda } } })
    expect(() => loadCompiled(bytes)).toThrow(
      /f in the bytes passed was compiled for Other GPU \(compute capability 7\.5\); cuda:0, .* has \d.*fix: export it on a GPU of this kind/,
    )
  })
})

describe.skipIf(gpu === null)(`wrong input (${needsGpuOrStandIn})`, () => {
  it('a device that does not exist', () => {
    expect(() => zeros([1], { device: 'cuda:99' })).toThrow(
      /no device 'cuda:99': the driver finds \d+ GPU.*fix: use 'cuda:0'/,
    )
    expect(() => zeros([1], { device: 'gpu' as never })).toThrow(/no device 'gpu'.*'cuda'/)
  })

  it('two devices in one op, eagerly and compiled', () => {
    const [a, b] = [tensor([1], on), tensor([1])]
    const message =
      /add_?: tensors on different devices: f32\[1\] on cuda:0, f32\[1\] on cpu.*fix: move them to one device/
    expect(() => a.add(b)).toThrow(message)
    expect(() => a.add_(b)).toThrow(message)
    const f = compile((x: Tensor, y: Tensor) => x.add(y))
    expect(() => f(a, b)).toThrow(/device/)
    expect(list(f(a, a))).toEqual([2])
  })

  it('more memory than available: the error states the request and the holders of memory; the device still works', () => {
    const x = tensor([1, 2, 3], on)
    expect(() => zeros([2 ** 40], on)).toThrow(
      /no memory for 4\.0 TiB: .* allocated \(.*tensors .*cached.*free on the device.*fix: dispose/,
    )
    expect(list(x.add(1))).toEqual([2, 3, 4])
  })
})
