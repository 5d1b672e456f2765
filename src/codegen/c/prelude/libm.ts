/** f64's transcendental functions: libm's, lane by lane. Accuracy matters more than speed there. */
import { type Families, type Family, perLane } from './piece.js'

const elems = ['f64'] as const
const unary = (name: string): Family =>
  perLane({ doc: `libm's ${name}, lane by lane.`, elems, params: ['$T x'], call: `__builtin_${name}(x)` })
const binary = (name: string): Family =>
  perLane({ doc: `libm's ${name}, lane by lane.`, elems, params: ['$T x', '$T y'], call: `__builtin_${name}(x, y)` })

const unaryNames = [
  ...['exp', 'exp2', 'expm1', 'log', 'log2', 'log10', 'log1p', 'sin', 'cos', 'tan', 'asin', 'acos', 'atan'],
  ...['sinh', 'cosh', 'tanh', 'asinh', 'acosh', 'atanh', 'erf', 'erfc'],
]

export const libmFamilies: Families = {
  ...Object.fromEntries(unaryNames.map(name => [name, unary(name)])),
  pow: binary('pow'),
  atan2: binary('atan2'),
  sigmoid: perLane({
    doc: '1 / (1 + e^-x); e^-|x| cannot overflow.',
    elems,
    params: ['$T x'],
    call: 'sigmoid_lane_f64(x)',
  }),
  sigmoid_lane: {
    doc: 'One lane of sigmoid.',
    elems,
    only: 'scalar',
    write: () =>
      'FN f64 sigmoid_lane_f64(f64 x) {\n  f64 e = __builtin_exp(-abs_f64(x));\n  return (x < 0 ? e : 1) / (1 + e);\n}',
  },
}
