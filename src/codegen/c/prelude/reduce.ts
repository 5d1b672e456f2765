/**
 * Reductions and prefix scans of a vector's lanes. A reduction combines lane i with lane i + W/2, then does the same with the halves of
 * that, and so on. A scan scans both halves, then combines the last lane of the first with every lane of the second. So the order of
 * additions depends only on the vector's width, never on the machine.
 */
import { reductionIdentity, type ScanName } from '../../../scalar/ops.js'
import type { Dtype } from '../../../types/dtype.js'
import { literal } from '../text.js'
import {
  type Elem,
  elemBytes,
  type Families,
  type Family,
  fill,
  floats,
  type Instance,
  indent,
  integers,
  numbers,
} from './piece.js'

const fold = (doc: string, op: string, elems: readonly Elem[]): Family => ({
  doc,
  elems,
  write: (name, at) => {
    if (at.width === 1) return fill(`FN $T ${name}($T v) { return v; }`, at)
    // Stay in vectors to the end: a scalar comparison may become a branch, which random data mispredicts.
    if (at.width === 2 && (op === 'min' || op === 'max') && !isFloat(at.elem)) {
      const lines = ['$T turned = {v[1], v[0]};', `$T r = ${op}_$T(v, turned);`, 'return r[0];']
      return fill(`FN $S ${name}($T v) {\n${indent(lines.join('\n'))}\n}`, at)
    }
    if (at.width === 2) return fill(`FN $S ${name}($T v) { return ${op}_$S(v[0], v[1]); }`, at)
    const half = `${at.elem}x${at.width / 2}`
    return fill(`FN $S ${name}($T v) { return fold_${op}_${half}(${op}_${half}(lo_$T(v), hi_$T(v))); }`, at)
  },
})

const isFloat = (elem: Elem): boolean => elem === 'f32' || elem === 'f64'
const suffixOf = ({ elem }: Instance): string => (elem === 'f32' ? 's' : 'd')
const registerBits = (at: Instance): number => elemBytes[at.elem] * at.width * 8

/** min or max of two vectors by vrange, which orders zeros but drops NaNs. */
function range(at: Instance, mode: number, a: string, b: string): string {
  const bits = registerBits(at)
  return `__builtin_ia32_rangep${suffixOf(at)}${bits}_mask(${a}, ${b}, ${mode}, ${a}, -1${bits === 512 ? ', 4' : ''})`
}

const guarded = (text: string): string => `#if GCC_AVX512\n${text}\n#endif`

/** The minimum or maximum lane, by instructions that drop NaNs. */
const ordered = (op: 'min' | 'max', mode: number): Family => ({
  doc: `The ${op === 'max' ? 'maximum' : 'minimum'} lane of a vector; ignores NaN.`,
  elems: floats,
  write: (name, at) => {
    if (registerBits(at) > 128) {
      const half = { ...at, width: at.width / 2 }
      const both = range(half, mode, 'lo_$T(v)', 'hi_$T(v)')
      return guarded(fill(`FN $S ${name}($T v) { return ordered_${op}_${at.elem}x${half.width}(${both}); }`, at))
    }
    const turns = at.width === 4 ? ['2, 3, 0, 1', '1, 0, 3, 2'] : ['1, 0']
    const steps = turns.map(turn => `v = ${range(at, mode, 'v', `__builtin_shuffle(v, ($I){${turn}})`)};`)
    return guarded(fill(`FN $S ${name}($T v) {\n${indent([...steps, 'return v[0];'].join('\n'))}\n}`, at))
  },
})

/** A float fold by min or max that uses the instructions that drop NaN; unless NaN is ignored, checks for NaN first. */
function withoutNaN(op: 'min' | 'max' | 'fmax', plain: Family): Family {
  return {
    ...plain,
    write: (name, at) => {
      const bits = registerBits(at)
      if (!isFloat(at.elem) || bits < 128 || bits > at.vectorBytes * 8) return plain.write(name, at)
      const nan = `__builtin_ia32_cmpp${suffixOf(at)}${bits}_mask(v, v, 3, -1${bits === 512 ? ', 4' : ''})`
      const half = `${at.elem}x${at.width / 2}`
      const looked = `__builtin_expect(${nan} != 0, 0) ? fold_add_$T(v) : ordered_${op}_$T(v)`
      const lines = [
        '#if GCC_AVX512',
        `return ${op === 'fmax' ? 'ordered_max_$T(v)' : looked};`,
        '#else',
        `return fold_${op}_${half}(${op}_${half}(lo_$T(v), hi_$T(v)));`,
        '#endif',
      ]
      return fill(`FN $S ${name}($T v) {\n${indent(lines.join('\n'))}\n}`, at)
    },
  }
}

/** Lanes of a vector that fits a register: of each block of 2 · `half` lanes, one half gets the other half's last lane. */
function spreadLanes(at: Instance, half: number, fromEnd: boolean): string {
  const lanes = Array.from({ length: at.width }, (_, lane) => {
    const start = lane - (lane % (2 * half))
    const isLater = lane - start >= half
    if (isLater === fromEnd) return at.width + lane
    return fromEnd ? start + half : start + half - 1
  })
  return lanes.join(', ')
}

/** Each lane combined with all before it. In a register the other half is combined with the op's identity, which changes nothing. */
const prefix = (op: ScanName, fromEnd: boolean, elems: readonly Elem[]): Family => ({
  doc: `Each lane combined with all ${fromEnd ? 'behind' : 'before'} it by ${op}.`,
  elems,
  only: 'vector',
  write: (name, at) => {
    const half = `${at.elem}x${at.width / 2}`
    if (at.width === 2 || elemBytes[at.elem] * at.width > at.vectorBytes) {
      const each = (part: 'lo' | 'hi'): string =>
        at.width === 2 ? `v[${part === 'lo' ? 0 : 1}]` : `${name.replace(/x\d+$/, `x${at.width / 2}`)}(${part}_$T(v))`
      const type = at.width === 2 ? '$S' : half
      const last = (from: string, lane: number): string => (at.width === 2 ? from : `splat_${half}(${from}[${lane}])`)
      const lines = [
        `${type} lo = ${each('lo')}, hi = ${each('hi')};`,
        fromEnd
          ? `return join_$T(${op}_${type}(${last('hi', 0)}, lo), hi);`
          : `return join_$T(lo, ${op}_${type}(${last('lo', at.width / 2 - 1)}, hi));`,
      ]
      return fill(`FN $T ${name}($T v) {\n${indent(lines.join('\n'))}\n}`, at)
    }
    const identity =
      op === 'add' && isFloat(at.elem)
        ? '-0.0'
        : literal(at.elem as Dtype, reductionIdentity(op, at.elem as Dtype)).text
    const steps = Array.from({ length: Math.log2(at.width) }, (_, i) => {
      const lanes = spreadLanes(at, 2 ** i, fromEnd)
      return `v = ${op}_$T(SHUFFLE($I, v, none, ${lanes}), v);`
    })
    const lines = [`$T none = splat_$T(${identity});`, ...steps, 'return v;']
    return fill(`FN $T ${name}($T v) {\n${indent(lines.join('\n'))}\n}`, at)
  },
})

const bits: readonly Elem[] = [...integers, 'b32']

export const reduceFamilies: Families = {
  fold_add: fold('Sum of all lanes, pairwise.', 'add', numbers),
  fold_mul: fold('Product of all lanes, pairwise.', 'mul', numbers),
  fold_min: withoutNaN('min', fold('Minimum lane; NaN if any is NaN.', 'min', [...numbers, 'b32'])),
  fold_max: withoutNaN('max', fold('Maximum lane; NaN if any is NaN.', 'max', [...numbers, 'b32'])),
  fold_fmax: withoutNaN('fmax', fold('Maximum lane that is not NaN.', 'fmax', floats)),
  fold_logaddexp: fold('ln of the sum of e^ all lanes, pairwise.', 'logaddexp', floats),
  ordered_min: ordered('min', 4),
  ordered_max: ordered('max', 5),
  fold_and: fold('Bitwise and of all lanes.', 'and', bits),
  ...Object.fromEntries(
    (['add', 'mul', 'min', 'max', 'logaddexp'] as const).flatMap(op => {
      const elems = op === 'logaddexp' ? floats : numbers
      return [
        [`prefix_${op}`, prefix(op, false, elems)],
        [`prefix_${op}_from_end`, prefix(op, true, elems)],
      ]
    }),
  ),
  fold_or: fold('Bitwise or of all lanes.', 'or', bits),
}
