/**
 * The type of tensors, for what ops and methods are made of: tensor.ts, which is made of these, declares what it offers.
 */
import type { TensorHandle } from './handle.js'

/** Its members are declared by tensor.ts. */
export interface Tensor extends TensorHandle {}
