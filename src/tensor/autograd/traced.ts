/** The one place that asks whether gradients are a capture's matter. */
import { recordTable } from '../../graph/ops/index.js'
import type { Tensor } from '../tensor-type.js'
import { captureRefusal } from '../trace.js'
import { currentTracer, type TracedAutograd, type Tracer } from '../tracer.js'
import { historyOf } from './history.js'

/** What the active capture does with gradients; null: ops run eagerly. */
export function tracedAutograd(): TracedAutograd | null {
  const tracer = currentTracer()
  return tracer === null ? null : (tracer.autograd ?? flagsOf(tracer))
}

const flags = new WeakMap<Tracer, TracedAutograd>()

function flagsOf(tracer: Tracer): TracedAutograd {
  const known = flags.get(tracer) ?? new TracedFlags(tracer)
  flags.set(tracer, known)
  return known
}

/** Knows which tensors require gradients, and no more. */
class TracedFlags implements TracedAutograd {
  readonly #requiring = new WeakSet<Tensor>()
  readonly #tracer: Tracer

  constructor(tracer: Tracer) {
    this.#tracer = tracer
  }

  requiresGrad(tensor: Tensor): boolean {
    return (
      this.#requiring.has(tensor) || (tensor.source.kind === 'storage' && (historyOf(tensor)?.node ?? null) !== null)
    )
  }
  setRequiresGrad(tensor: Tensor, on: boolean): void {
    if (on) this.#requiring.add(tensor)
    else this.#requiring.delete(tensor)
  }
  recorded(_record: unknown, _inputs: unknown, results: readonly Tensor[]): void {
    for (const result of results) this.#requiring.add(result)
  }
  assigned(target: Tensor, value: Tensor): void {
    if (this.#requiring.has(value)) this.#requiring.add(target)
  }
  detached(tensor: Tensor): Tensor {
    const [detached] = this.#tracer.record(recordTable.expand, [tensor], { sizes: tensor.sizes }, tensor.device)
    return detached!
  }
  grad = (): never => this.#refuse('grad')
  setGrad = (): never => this.#refuse('grad')
  backward = (): never => this.#refuse('backward')
  gradients = (): never => this.#refuse('gradients')

  #refuse(what: string): never {
    throw captureRefusal(`${what}: gradients inside a compiled function do not work yet`, {
      fix: `call ${what} outside of it`,
    })
  }
}
