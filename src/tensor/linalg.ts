/**
 * PyTorch's `torch.linalg`: what of it is here, under its names. What decomposes matrices (svd, eig, qr, cholesky, inv, solve, det, …)
 * is not supported.
 */
export { cross, diagonal, matmul, matrixPower, multiDot, vecdot, vectorNorm } from './functions.js'
export { type MatrixNormOptions, matrixNorm, type NormOptions, type NormOrder, norm } from './norms.js'
