/** Until tensors have gradients of their own: `.grad` as a field, and a `noGrad` that has nothing to switch off. */
declare module '../tensor/tensor.js' {
  interface Tensor {
    grad: Tensor | null
  }
}

export const noGrad = <R>(body: () => R): R => body()
export const enableGrad = <R>(body: () => R): R => body()
