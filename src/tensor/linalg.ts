/** PyTorch's `torch.linalg`: what of it is here, under its names, and `torch.logdet` and `torch.cholesky_solve`. Eigenvalues, singular values and QR are not. */
export {
  cholesky,
  choleskySolve,
  det,
  inv,
  logdet,
  type SignedLogDet,
  slogdet,
  solve,
  solveTriangular,
  type TriangularOptions,
} from './factorisations.js'
export { cross, diagonal, matmul, matrixPower, multiDot, vecdot, vectorNorm } from './functions.js'
export { type MatrixNormOptions, matrixNorm, type NormOptions, type NormOrder, norm } from './norms.js'
