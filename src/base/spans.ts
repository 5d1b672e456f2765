/** Stretches of time with names, for whoever listens: the profiler. Without a listener a span costs one comparison. */

/**
 * What a span is of. label: `recordFunction`. module: a call of an nn.Module. call: a compiled function. op: an eager op. compile: a compilation,
 * phase: a part of it.
 */
export type SpanKind = 'label' | 'module' | 'call' | 'op' | 'compile' | 'phase'

export interface SpanObserver {
  /** A span begins, inside those that have begun and not ended. `subject`: a call's arguments, or the module. Returns what ends it. */
  begin(kind: SpanKind, name: string, subject?: unknown): () => void
}

/** Set by `observeSpans` alone; null: nobody listens. Hot paths compare it with null. */
export let spanObserver: SpanObserver | null = null

/** Tells `observer` of the spans that begin from now on. Returns what ends it; what observed before then goes on. */
export function observeSpans(observer: SpanObserver): () => void {
  const before = spanObserver
  spanObserver = observer
  return () => {
    spanObserver = before
  }
}

/** Runs `body` as a span; one that gives a promise lasts until it settles. */
export function span<R>(kind: SpanKind, name: string, body: () => R, subject?: unknown): R {
  if (spanObserver === null) return body()
  const end = spanObserver.begin(kind, name, subject)
  let result: R | undefined
  try {
    result = body()
  } finally {
    if (!(result instanceof Promise)) end()
  }
  return result instanceof Promise ? (result.finally(end) as R) : result
}
