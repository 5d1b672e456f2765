/** TensorFloat-32: f32 with 10 bits of fraction, as matrix units take it. */
const word = new DataView(new ArrayBuffer(4))

/** The nearest value with 10 bits of fraction, halves away from zero (PTX's cvt.rna.tf32). */
export function roundToTf32(x: number): number {
  if (!Number.isFinite(x)) return x
  word.setFloat32(0, x)
  word.setUint32(0, (word.getUint32(0) + 0x1000) & ~0x1fff)
  return word.getFloat32(0)
}

/** The value with 10 bits of fraction below it in magnitude: matrix units ignore the other bits of f32 operands. */
export function truncateToTf32(x: number): number {
  if (!Number.isFinite(x)) return x
  word.setFloat32(0, x)
  word.setUint32(0, word.getUint32(0) & ~0x1fff)
  return word.getFloat32(0)
}
