import { describe, expect, it } from 'vitest'
import { ArgumentError, type CompileOptions, compile, type Tensor, tensor } from '../../src/index.js'

const double = (x: Tensor): Tensor => x.mul(2)

describe('options', () => {
  it('all modes give the same results on the CPU', () => {
    const x = tensor([1, 2])
    for (const mode of ['default', 'reduce-overhead'] as const) {
      expect(compile(double, { mode })(x).toArray()).toEqual([2, 4])
    }
  })

  it.each<[CompileOptions | Record<string, unknown>, RegExp]>([
    [{ mode: 'fast' }, /option mode is "fast".*fix: use one of "default", "reduce-overhead", "max-autotune"/],
    [{ dynamic: 'yes' }, /option dynamic is "yes".*fix: use one of true, false, "auto"/],
    [{ onRecompile: 'throw' }, /option onRecompile is "throw".*fix: use one of "ignore", "warn", "error"/],
    [{ fullgraph: 1 }, /option fullgraph is 1/],
    [{ deterministic: 'no' }, /option deterministic is "no"/],
    [{ recompileLimit: 0 }, /option recompileLimit is 0.*fix: pass an integer of at least 1/],
    [{ mode: 'max-autotune', deterministic: true }, /exclude each other.*fix: drop one/],
    [{ bucket: 'pow3' }, /option bucket is "pow3".*fix: pass 'pow2', or ascending integers above 1, as \[64, 256\]/],
    [{ bucket: [64, 64] }, /option bucket is/],
    [{ bucket: [] }, /option bucket is/],
    [{ bucket: 'pow2', dynamic: false }, /bucket and dynamic: false exclude each other.*fix: drop one/],
    [{ name: 3 }, /option name is 3.*fix: pass a string/],
    [{ fullGraph: true }, /no option 'fullGraph'.*fix: there are mode, fullgraph, dynamic/],
  ])('%j is refused', (options, message) => {
    expect(() => compile(double, options as CompileOptions)).toThrow(message)
    expect(() => compile(double, options as CompileOptions)).toThrow(ArgumentError)
  })

  it('the compiled object is a function', () => {
    expect(() => compile(tensor([1]) as unknown as () => Tensor)).toThrow(/a tensor f32\[1\] is no function.*fix: pass/)
  })
})
