/**
 * The matrix element that each thread of a warp holds in each register lane, for the instructions `mma` and
 * `loadMatrix`: the fragment layouts of the PTX ISA ("Matrix fragments for mma.m16n8k…" and "ldmatrix").
 */

export interface Place {
  readonly row: number
  readonly column: number
}

const group = (thread: number): number => thread >> 2
const inGroup = (thread: number): number => thread & 3

/** Elements of one register, of 32 bits or one element, for operands of `bytes` each. */
const packed = (bytes: number): number => Math.max(1, 4 / bytes)

/** Lane `lane` of operand a (16×K): registers advance along rows first, then to the second half of K. */
export function placeA(bytes: number, thread: number, lane: number): Place {
  const perRegister = packed(bytes)
  const register = Math.floor(lane / perRegister)
  return {
    row: group(thread) + (register & 1) * 8,
    column: inGroup(thread) * perRegister + (lane % perRegister) + (register >> 1) * 4 * perRegister,
  }
}

/** Lane `lane` of operand b (K×8). */
export function placeB(bytes: number, thread: number, lane: number): Place {
  const perRegister = packed(bytes)
  const register = Math.floor(lane / perRegister)
  return {
    row: inGroup(thread) * perRegister + (lane % perRegister) + register * 4 * perRegister,
    column: group(thread),
  }
}

/** Lane `lane` of the accumulator (16×8). */
export const placeC = (thread: number, lane: number): Place => ({
  row: group(thread) + (lane >> 1) * 8,
  column: inGroup(thread) * 2 + (lane & 1),
})

/** The element that `loadMatrix` (ldmatrix) gives a thread from one 8×8 matrix; `lane`: 0 or 1, its place in the register. */
export const placeLoaded = (thread: number, lane: number, transpose: boolean): Place => {
  const [row, column] = [group(thread), inGroup(thread) * 2 + lane]
  return transpose ? { row: column, column: row } : { row, column }
}
