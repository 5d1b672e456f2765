/** A recurrent layer by `scan`, in f64, with operands. */
import { arange, scan, type Tensor, zeros } from '../../src/index.js'

/** Waves of a shape. */
export const t = (shape: readonly number[], scale = 1): Tensor =>
  arange(shape.reduce((a, b) => a * b, 1), { dtype: 'f64' }).mul(0.7 * scale).sin().reshape(shape) // biome-ignore format: one line

/** A recurrent layer: all hidden states, and the last. */
export function layer(w: Tensor, u: Tensor, x: Tensor, reverse = false): [Tensor, Tensor] {
  const step = ([h]: Tensor[], [now]: Tensor[]): [Tensor[], Tensor[]] => {
    const next = h!.matmul(w).add(now!.matmul(u)).tanh()
    return [[next], [next.mul(2)]]
  }
  const [[last], [all]] = scan(step, [zeros([2, 3], { dtype: 'f64' })], [x], { reverse })
  return [all!, last!]
}

export const loss = (w: Tensor, u: Tensor, x: Tensor): Tensor => {
  const [all, last] = layer(w, u, x)
  return all.square().sum().add(last.sum())
}

export const [w, u, x] = [t([3, 3]), t([4, 3], 1.3), t([5, 2, 4], 0.6)]
