/** Stretches of time with names, for whoever listens: the profiler. Without a listener a span costs one comparison. */

/**
 * What a span is of. label: `recordFunction`. module: a call of an nn.Module. call: a compiled function. op: an eager op. compile: a compilation,
 * phase: a part of it.
 */
export type SpanKind = 'label' | 'module' | 'call' | 'op' | 'compile' | 'phase'

export interface SpanObserver {
  /**
   * Runs `body` as a span, inside the one whose body called for it. One that gives a promise lasts until it settles. `subject`: a call's
   * arguments, or the module.
   */
  run<R>(kind: SpanKind, name: string, body: () => R, subject?: unknown): R
}

/** Set by `observeSpans` alone; null: nobody listens. Hot paths compare it with null. */
export let spanObserver: SpanObserver | null = null

/** The last one listens. */
const observers: SpanObserver[] = []

/** Tells `observer` of the spans that begin from now on. Returns what ends it; the one that observed before then goes on. */
export function observeSpans(observer: SpanObserver): () => void {
  observers.push(observer)
  spanObserver = observer
  return () => {
    if (observers.includes(observer)) observers.splice(observers.indexOf(observer), 1)
    spanObserver = observers.at(-1) ?? null
  }
}

/** Runs `body` as a span; one that gives a promise lasts until it settles. */
export function span<R>(kind: SpanKind, name: string, body: () => R, subject?: unknown): R {
  return spanObserver === null ? body() : spanObserver.run(kind, name, body, subject)
}
