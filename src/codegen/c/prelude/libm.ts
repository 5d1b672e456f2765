/** Functions of the C library, lane by lane, and instructions of particular machines. */
import { type Elem, elemBytes, type Families, type Family, fill, floats, type Instance } from './piece.js'

/** The slow path of formulas for rare operands: a function that is not inlined, so that the fast path stays short. */
const rare = (libm: string, operands: readonly string[]): Family => ({
  doc: `libm's ${libm}, lane by lane.`,
  elems: floats,
  write(name, at) {
    const params = operands.map(x => `$T ${x}`).join(', ')
    const suffix = at.elem === 'f32' ? 'f' : ''
    const call = (lane: string): string => `__builtin_${libm}${suffix}(${operands.map(x => x + lane).join(', ')})`
    const body =
      at.width === 1
        ? `return ${call('')};`
        : `$T r = {0};\n  for (int i = 0; i < $W; i++) r[i] = ${call('[i]')};\n  return r;`
    return fill(`static __attribute__((noinline, cold, unused)) $T ${name}(${params}) {\n  ${body}\n}`, at)
  },
})

/** AVX-512 instructions, for registers of 16, 32 and 64 bytes. */
const instruction = (doc: string, elems: readonly Elem[], params: string, value: (at: Instance) => string): Family => ({
  doc,
  elems,
  only: 'vector',
  write: (name, at) => fill(`#if GCC_SCALE\nFN $T ${name}(${params}) { return ${value(at)}; }\n#endif`, at),
})
const bitsOf = (at: Instance): number => 8 * elemBytes[at.elem] * at.width
const rounded = (at: Instance): string => (bitsOf(at) === 512 ? ', 4' : '')

/** The functions behind the lane op `builtin`. */
export const builtinFamilies: Families = {
  scale: instruction(
    'p * 2^n for integer n, rounded once.',
    ['f32', 'f64'],
    '$T p, $T n',
    at => `__builtin_ia32_scalefp${at.elem === 'f32' ? 's' : 'd'}${bitsOf(at)}_mask(p, n, p, -1${rounded(at)})`,
  ),
  rest: instruction(
    'x minus its nearest integer; 0 for infinities.',
    ['f32'],
    '$T x',
    at => `__builtin_ia32_reduceps${bitsOf(at)}_mask${bitsOf(at) === 512 ? '_round' : ''}(x, 8, x, -1${rounded(at)})`,
  ),
  libm_sin: rare('sin', ['x']),
  libm_cos: rare('cos', ['x']),
  libm_tan: rare('tan', ['x']),
  libm_fmod: rare('fmod', ['a', 'b']),
}
