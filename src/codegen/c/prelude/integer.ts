/**
 * Integer arithmetic. It wraps: operands are added and multiplied as unsigned. Division does not trap: by zero it gives 0, and
 * the minimum divided by -1 gives itself. There is no vector division, so up to 16 bits it is computed in f32, and 32 bits in
 * f64, where the truncated quotient is exact (the quotient's distance from the next integer exceeds one rounding error).
 */
import { type Elem, elemBytes, type Families, type Family, type Instance, integers, lanes, perLane } from './piece.js'

const bits = ({ elem }: Instance): number => elemBytes[elem] * 8
const binary = (
  doc: string,
  body: string | ((at: Instance) => string),
  scalar?: string | ((at: Instance) => string),
): Family =>
  lanes({ doc, elems: integers, params: ['$T a', '$T b'], body, ...(scalar === undefined ? {} : { scalar }) })

/** Masks as wide as the elements: those of 32 bits, which other ops give and take, cost i64 two conversions. */
const extreme = (doc: string, test: '<' | '>'): Family =>
  binary(doc, `$I k = ($I)(a ${test} b);\nreturn ($T)((k & ($I)a) | (~k & ($I)b));`, `return a ${test} b ? a : b;`)

const unsigned = (elem: Elem): boolean => elem === 'u8'

/** Masks the amount before the shift, because a shift by too much is undefined in C. */
const shl: Family = binary(
  'a << b; amounts outside [0, bits) give 0.',
  at => `$I inside = ($I)(($U)b < ${bits(at)});\nreturn ($T)(($U)a << (($U)b & ${bits(at) - 1})) & ($T)inside;`,
  at => `return ($U)b < ${bits(at)} ? ($T)(($U)a << b) : 0;`,
)

const shr: Family = binary(
  'Arithmetic a >> b; amounts outside [0, bits) shift everything out.',
  at =>
    unsigned(at.elem)
      ? 'return shrLogical_$T(a, b);'
      : `$I inside = ($I)(($U)b < ${bits(at)});\nreturn a >> ((b & inside) | (${bits(at) - 1} & ~inside));`,
  at =>
    unsigned(at.elem) ? 'return shrLogical_$T(a, b);' : `return a >> (($U)b < ${bits(at)} ? b : ${bits(at) - 1});`,
)

const shrLogical: Family = binary(
  'Logical a >> b; amounts outside [0, bits) give 0.',
  at => `$I inside = ($I)(($U)b < ${bits(at)});\nreturn ($T)((($U)a >> (($U)b & ${bits(at) - 1})) & ($U)inside);`,
  at => `return ($U)b < ${bits(at)} ? ($T)((${bits(at) < 32 ? `($U)a & ${(1 << bits(at)) - 1}` : '($U)a'}) >> b) : 0;`,
)

/** The quotient of narrow integers, computed in a float type in which it is exact. */
const exactQuotient =
  (float: 'f32' | 'f64') =>
  ({ elem }: Instance): string =>
    `$T q = ${float}_to_$T(${elem}_to_$${float}(a) / ${elem}_to_$${float}(b));\nreturn where_$T(eq_$T(b, splat_$T(0)), splat_$T(0), q);`
const scalarQuotient = 'return b == 0 ? 0 : b == ($T)-1 ? neg_$T(a) : a / b;'
const unsignedQuotient = 'return b == 0 ? 0 : a / b;'

const truncDivDoc = 'a / b rounded toward zero; 0 where b is 0.'
const quotientParams = ['$T a', '$T b'] as const

/** Square-and-multiply. A negative power is 0, except for the bases 1 and -1, as in PyTorch. */
const powScalar: Family = {
  doc: 'Power, wrapped. Negative powers: 1 of 1, ±1 of -1, else 0.',
  elems: integers,
  only: 'scalar',
  write: (_, at) => {
    const negative = unsigned(at.elem) ? '' : '  if (b < 0) return a == 1 ? 1 : a == -1 ? ((b & 1) ? -1 : 1) : 0;\n'
    return `LONG_FN ${at.elem} pow_lane_${at.elem}(${at.elem} a, ${at.elem} b) {
${negative}  u64 r = 1, square = (u64)a, rest = (u64)b;
  for (; rest; rest >>= 1, square *= square)
    if (rest & 1) r *= square;
  return (${at.elem})r;
}`
  },
}

export const integerFamilies: Families = {
  add: binary('a + b, wrapped', 'return ($T)(($U)a + ($U)b);'),
  sub: binary('a - b, wrapped', 'return ($T)(($U)a - ($U)b);'),
  mul: binary('a * b, wrapped', 'return ($T)(($U)a * ($U)b);'),
  fma: lanes({
    doc: 'a * b + c, wrapped',
    elems: integers,
    params: ['$T a', '$T b', '$T c'],
    body: 'return ($T)(($U)a * ($U)b + ($U)c);',
  }),
  neg: lanes({ doc: '-a, wrapped', elems: integers, params: ['$T a'], body: 'return ($T)(-($U)a);' }),
  abs: lanes({
    doc: '|a|; the minimum stays itself.',
    elems: integers,
    params: ['$T a'],
    body: at => (unsigned(at.elem) ? 'return a;' : '$I k = ($I)(a < 0);\nreturn ($T)((($U)a ^ ($U)k) - ($U)k);'),
    scalar: at => (unsigned(at.elem) ? 'return a;' : 'return a < 0 ? neg_$T(a) : a;'),
  }),
  sign: lanes({
    doc: '-1, 0 or 1',
    elems: integers,
    params: ['$T a'],
    body: at => (unsigned(at.elem) ? 'return ($T)((a > 0) & 1);' : 'return ($T)((a < 0) - (a > 0));'),
    scalar: 'return ($T)((a > 0) - (a < 0));',
  }),
  min: extreme('The smaller.', '<'),
  max: extreme('The larger.', '>'),
  shl,
  shr,
  shrLogical,
  pow_lane: powScalar,
  pow: perLane({
    doc: 'Power, wrapped. Negative powers: 1 of 1, ±1 of -1, else 0.',
    elems: integers,
    params: ['$T a', '$T b'],
    call: 'pow_lane_$S(a, b)',
  }),
}

export const narrowDivision: Families = {
  truncDiv: lanes({
    doc: truncDivDoc,
    elems: ['i16', 'i8', 'u8'],
    params: quotientParams,
    widest: 4,
    body: exactQuotient('f32'),
    scalar: at => (unsigned(at.elem) ? unsignedQuotient : scalarQuotient),
  }),
}
export const wordDivision: Families = {
  truncDiv: lanes({
    doc: truncDivDoc,
    elems: ['i32'],
    params: quotientParams,
    widest: 8,
    body: exactQuotient('f64'),
    scalar: scalarQuotient,
  }),
}
export const longDivision: Families = {
  truncDiv: perLane({ doc: truncDivDoc, elems: ['i64'], params: quotientParams, call: 'truncDiv_lane_$S(a, b)' }),
  truncDiv_lane: {
    doc: truncDivDoc,
    elems: ['i64'],
    only: 'scalar',
    write: () => 'FN i64 truncDiv_lane_i64(i64 a, i64 b) { return b == 0 ? 0 : b == -1 ? neg_i64(a) : a / b; }',
  },
}
