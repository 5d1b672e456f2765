/** What a node keeps for its gradient, and whether it is still what it was. */
import { GradientError } from '../../base/errors.js'
import type { Tensor } from '../tensor-type.js'
import { type Edge, ownHistory, versionOf } from './history.js'
import { isRecording } from './mode.js'

/** A tensor as it was when an op used it or made it. */
export class SavedTensor {
  #tensor: Tensor
  #version: number

  /**
   * Throws GradientError for a tensor of inference mode. `edge`: where its own gradient flows to, for gradients of gradients.
   */
  constructor(
    op: string,
    tensor: Tensor,
    readonly edge: Edge | null,
  ) {
    const { source } = tensor
    if (source.kind === 'storage') {
      if (source.isInference)
        throw new GradientError(`${op}: its gradient needs ${tensor.describe()}, which was made in inference mode`, {
          fix: 'take a clone() of it, or make it in noGrad instead',
        })
      source.saved++
    }
    this.#tensor = tensor
    this.#version = versionOf(tensor)
  }

  get tensor(): Tensor {
    return this.#tensor
  }

  /** Keeps `copy` instead, which has the same values: the memory of the tensor is going to change. */
  replace(copy: Tensor): void {
    this.release()
    this.#tensor = copy
    this.#version = versionOf(copy)
    if (copy.source.kind === 'storage') copy.source.saved++
  }

  /** The tensor, if nobody changed it. Throws GradientError, DisposedError. `op`: the node's name. */
  unpack(op: string): Tensor {
    const tensor = this.#tensor
    const { source } = tensor
    if (source.kind === 'storage' && source.freed === null && source.version !== this.#version) throw this.#changed(op)
    const isShown = !isRecording() && tensor.freed === null
    if (isShown) return tensor
    const view = tensor.withLayout(tensor.layout)
    view.requireAlive(`backward of ${op}`, 'a tensor that it needs')
    if (isRecording() && this.edge !== null) {
      const history = ownHistory(view)
      history.node = this.edge.node
      history.output = this.edge.output
    }
    return view
  }

  #changed(op: string): GradientError {
    const { source } = this.#tensor
    const at = source.kind === 'storage' ? source.changedAt : null
    const place = at === null ? '' : ` at ${at.file}:${at.line}`
    return new GradientError(
      `backward of ${op}: it needs ${this.#tensor.describe()} as it was when ${op} ran, but it was changed in place${place}`,
      { fix: 'change a clone() of it, or use the op that is not in place' },
    )
  }

  release(): void {
    const { source } = this.#tensor
    if (source.kind === 'storage') source.saved--
  }
}
