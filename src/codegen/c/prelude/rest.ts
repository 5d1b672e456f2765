/**
 * The way out for lanes that a vector function does not cover: libm, one lane at a time, in a function of its own that
 * is not inlined. It goes through memory, so that the usual path stays in registers and short.
 */
import type { Family, Instance } from './piece.js'

/** The function that does it: `sin_rest_f32(n, which, x, …, y)` puts libm's value into the lanes of y that `which` names. */
export const restFamily = (libm: string, arity: 1 | 2): Family => {
  const operands = arity === 1 ? ['x'] : ['x', 'z']
  return {
    doc: `${libm}f of the lanes that are marked.`,
    elems: ['f32'],
    only: 'scalar',
    write:
      name => `static __attribute__((noinline, cold, unused)) void ${name}(int n, const b32 *which, ${operands.map(x => `const f32 *${x}, `).join('')}f32 *y) {
  for (int i = 0; i < n; i++)
    if (which[i]) y[i] = __builtin_${libm}f(${operands.map(x => `${x}[i]`).join(', ')});
}`,
  }
}

/** Text that mends the lanes of variable y that the condition holds for. */
export const mendRest =
  (libm: string, condition: string, operands: readonly string[]) =>
  ({ width }: Instance): string => {
    if (width === 1) return `if (${condition}) y = __builtin_${libm}f(${operands.join(', ')});`
    const arrays = [...operands, 'y']
    return `$b32 rest = ${condition};
if (any_$b32(rest)) {
  b32 which[$W];
  f32 ${arrays.map(x => `${x}_lanes[$W]`).join(', ')};
  store_$i32(which, rest);
  ${arrays.map(x => `store_$T(${x}_lanes, ${x});`).join(' ')}
  ${libm}_rest_f32($W, which, ${arrays.map(x => `${x}_lanes`).join(', ')});
  y = load_$T(y_lanes);
}`
  }
