/** What earlier traces of a call did for good: the call may be traced again, and then finds it done. */
import { getGrad, setGrad } from '../../tensor/autograd/properties.js'
import type { Tensor } from '../../tensor/tensor.js'
import { withTracer } from '../../tensor/tracer.js'

/** A backward pass that the tape took. */
interface Pass {
  readonly results: readonly (Tensor | null)[]
  /** What it left in `.grad`. */
  readonly left: readonly (readonly [Tensor, Tensor | null])[]
}

export class Done {
  /** Results of the segments before graph breaks, in order. */
  readonly segments: (readonly Tensor[])[] = []
  readonly #passes: Pass[] = []
  /** What tensors had in `.grad` before the call. */
  readonly #before = new Map<Tensor, Tensor | null>()

  /** Brings `.grad` back to what it was when the call began: for another trace. */
  rewind(): void {
    for (const [tensor, grad] of this.#before) leave(tensor, grad)
  }

  setGrad(tensor: Tensor, grad: Tensor | null): void {
    this.#note(tensor)
    leave(tensor, grad)
  }

  /** The results of backward pass number `index`, which changes `.grad` of these tensors and is run once. */
  pass(index: number, changed: readonly Tensor[], run: () => readonly (Tensor | null)[]): readonly (Tensor | null)[] {
    const known = this.#passes[index]
    if (known !== undefined) {
      for (const [tensor, grad] of known.left) leave(tensor, grad)
      return known.results
    }
    for (const tensor of changed) this.#note(tensor)
    const results = withTracer(null, run)
    this.#passes[index] = { results, left: changed.map(tensor => [tensor, found(tensor)] as const) }
    return results
  }

  #note(tensor: Tensor): void {
    if (!this.#before.has(tensor)) this.#before.set(tensor, found(tensor))
  }
}

const found = (tensor: Tensor): Tensor | null => withTracer(null, () => getGrad(tensor))
const leave = (tensor: Tensor, grad: Tensor | null): void => withTracer(null, () => setGrad(tensor, grad))
