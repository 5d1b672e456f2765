/** What a node keeps for its gradient, and whether it is still what it was. */
import { GradientError } from '../../base/errors.js'
import { keepInstance } from '../../base/resident.js'
import type { Tensor } from '../tensor-type.js'
import { type Edge, ownHistory, versionOf } from './history.js'
import { isRecording } from './mode.js'
import { type RecomputedPart, runningPart, type SavedValue } from './recomputation.js'

/** A tensor as it was when an op used it or made it. */
export class SavedTensor {
  /** Null: it was dropped. */
  #tensor: Tensor | null
  #version: number
  /** What computes the tensor again; null: it was not dropped. */
  #part: RecomputedPart | null = null

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
    runningPart()?.add(this)
  }

  /** Null: it is computed again when it is needed. */
  get tensor(): Tensor | null {
    return this.#tensor
  }

  /** The tensors whose memory is needed. */
  get kept(): readonly SavedValue[] {
    return this.#part === null ? (this.#tensor === null ? [] : [this.#tensor]) : this.#part.kept()
  }

  drop(part: RecomputedPart): void {
    this.release()
    this.#tensor = null
    this.#part = part
  }

  takeOver(other: SavedTensor): void {
    this.#tensor = other.#tensor
    this.#version = other.#version
    this.#part = null
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
    this.#part?.recompute()
    const tensor = this.#tensor
    if (tensor === null) throw usedTwice(op)
    const { source } = tensor
    if (source.kind === 'storage' && source.freed === null && source.version !== this.#version)
      throw changedSince(op, tensor)
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

  release(): void {
    const source = this.#tensor?.source
    if (source?.kind === 'storage') source.saved--
  }
}

keepInstance(new SavedTensor('', { source: { kind: 'none' } } as never, null))

/** The error of a second pass through what the first one freed. */
export const usedTwice = (op: string): GradientError =>
  new GradientError(`backward of ${op}: what it needs was freed by the backward pass before`, {
    fix: 'pass { retainGraph: true } to the first backward, or compute the forward pass again',
  })

function changedSince(op: string, tensor: Tensor): GradientError {
  const { source } = tensor
  const at = source.kind === 'storage' ? source.changedAt : null
  const place = at === null ? '' : ` at ${at.file}:${at.line}`
  return new GradientError(
    `backward of ${op}: it needs ${tensor.describe()} as it was when ${op} ran, but it was changed in place${place}`,
    { fix: 'change a clone() of it, or use the op that is not in place' },
  )
}
