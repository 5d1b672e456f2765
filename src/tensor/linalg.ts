/** PyTorch's `torch.linalg`: what of it is here, under its names. Eigenvalues, singular values and QR are not. */
export {
  cholesky,
  det,
  inv,
  type SignedLogDet,
  slogdet,
  solve,
  solveTriangular,
  type TriangularOptions,
} from './factorisations.js'
export { cross, diagonal, matmul, matrixPower, multiDot, vecdot, vectorNorm } from './functions.js'
export { type MatrixNormOptions, matrixNorm, type NormOptions, type NormOrder, norm } from './norms.js'
