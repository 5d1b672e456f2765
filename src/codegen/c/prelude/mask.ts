/**
 * Bools and selects. A bool of W lanes is b32xW, whatever the compared type: 32 bits per lane, 0 or -1. Comparisons of f32 and
 * i32 give exactly that (gcc fuses such a comparison and `where` into a mask register and one blend); other element sizes are
 * widened or narrowed.
 */
import {
  type Elem,
  elemBytes,
  type Families,
  type Family,
  fill,
  type Instance,
  indent,
  integers,
  lanes,
  machine,
  numbers,
} from './piece.js'

/** Element types of vector comparison results, by size. */
const signed: Readonly<Record<number, Elem>> = { 1: 'i8', 2: 'i16', 8: 'i64' }

const compare = (doc: string, operator: string): Family =>
  lanes({
    doc,
    elems: numbers,
    result: '$b32',
    params: ['$T a', '$T b'],
    body: ({ elem }) =>
      elemBytes[elem] === 4
        ? `return ($b32)(a ${operator} b);`
        : `return ${signed[elemBytes[elem]]}_to_$i32(($I)(a ${operator} b));`,
    scalar: `return -(a ${operator} b);`,
  })

const logic = (doc: string, expression: string, arity: 1 | 2 = 2): Family =>
  lanes({
    doc,
    elems: ['b32'],
    params: arity === 1 ? ['$T a'] : ['$T a', '$T b'],
    body: `return ${expression};`,
  })

const bitwise = (doc: string, operator: string): Family =>
  lanes({
    doc,
    elems: [...integers, 'b32'],
    params: ['$T a', '$T b'],
    body: `return a ${operator} b;`,
  })

function whereBody({ elem }: Instance): string {
  const bytes = elemBytes[elem]
  const mask = bytes === 4 ? '$I k = ($I)m;' : '$I k = i32_to_$I(m);'
  return `${mask}\nreturn ($T)((k & ($I)a) | (~k & ($I)b));`
}

const whereElems: readonly Elem[] = [...numbers, 'b32']

/** Comparisons and arithmetic on bools, which the pieces for numbers do not cover. */
export const boolFamilies: Families = {
  eq: logic('a == b', '~(a ^ b)'),
  ne: logic('a != b', 'a ^ b'),
  lt: logic('false < true', '~a & b'),
  le: logic('a <= b', '~a | b'),
  gt: logic('a > b', 'a & ~b'),
  ge: logic('a >= b', 'a | ~b'),
  add: logic('The sum of bools: a or b.', 'a | b'),
  mul: logic('The product of bools: a and b.', 'a & b'),
  min: logic('a and b', 'a & b'),
  max: logic('a or b', 'a | b'),
  any: {
    doc: 'True if any lane is true; a C condition.',
    elems: ['b32'],
    write: (_, at) => fill(`FN int any_$T($T m) {\n${indent(anyBody(at))}\n}`, at),
  },
}

const anyBody = (at: Instance): string =>
  machine(at, {
    x86: {
      64: { guard: 'GCC_AVX512', value: '__builtin_ia32_cvtd2mask512(m) != 0' },
      32: { guard: 'GCC_AVX', value: '__builtin_ia32_movmskps256(($f32)m) != 0' },
    },
    otherwise: 'return fold_or_$T(m);',
  })

export const maskFamilies: Families = {
  lt: compare('a < b; false if either is NaN.', '<'),
  le: compare('a <= b; false if either is NaN.', '<='),
  gt: compare('a > b; false if either is NaN.', '>'),
  ge: compare('a >= b; false if either is NaN.', '>='),
  eq: compare('a == b; false if either is NaN.', '=='),
  ne: compare('a != b; true if either is NaN.', '!='),
  and: bitwise('Bitwise and; of bools: both.', '&'),
  or: bitwise('Bitwise or; of bools: either.', '|'),
  xor: bitwise('Bitwise exclusive or; for bools: exactly one is true.', '^'),
  not: lanes({
    doc: 'Bitwise not; for bools: logical not.',
    elems: [...integers, 'b32'],
    params: ['$T a'],
    body: 'return ($T)~a;',
  }),
  where: lanes({
    doc: 'm ? a : b, lane by lane.',
    elems: whereElems,
    params: ['$b32 m', '$T a', '$T b'],
    body: whereBody,
    scalar: 'return m ? a : b;',
    widest: 4,
  }),
}
