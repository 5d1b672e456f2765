/** PyTorch's `torch.linalg`: what of it is here, under its names. */
export { cross, diagonal, matmul, matrixPower, multiDot, vecdot, vectorNorm } from './functions.js'
