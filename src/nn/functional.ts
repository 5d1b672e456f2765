/**
 * Functions of neural networks, usually imported as `F`: the ops whose records PyTorch keeps in `torch.nn.functional`.
 * Signatures are the records'; the options are named as PyTorch names them, in camelCase.
 *
 * @example F.gelu(F.linear(x, weight, { bias }), { approximate: 'tanh' })
 */
export {
  celu,
  elu,
  embedding,
  gelu,
  hardsigmoid,
  hardswish,
  hardtanh,
  layerNorm,
  leakyRelu,
  linear,
  logSigmoid,
  logSoftmax,
  mish,
  relu,
  relu6,
  rmsNorm,
  selu,
  sigmoid,
  silu,
  softmax,
  softplus,
  softsign,
  tanh,
} from '../tensor/functions.js'
