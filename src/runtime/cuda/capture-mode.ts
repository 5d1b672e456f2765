/** What CUDA forbids a thread while one of its streams is captured (allocating, loading modules) but does no harm. */
import type { CudaContext } from './context.js'

/** CUstreamCaptureMode */
export const captureModes = { global: 0, threadLocal: 1, relaxed: 2 } as const

/** Runs `body`, in relaxed mode while a capture goes on. `body` must not queue work on a captured stream. */
export function relaxed<R>(context: CudaContext, body: () => R): R {
  if (!context.capturing) return body()
  const word = 3
  const exchange = (doing: string): void => {
    const { out } = context
    context.check(context.enter().cuThreadExchangeStreamCaptureMode(out.addressOf(word)), doing)
  }
  context.out.set(word, captureModes.relaxed)
  exchange('relaxing the capture')
  const before = context.out.getInt32(word)
  try {
    return body()
  } finally {
    context.out.set(word, before)
    exchange('restoring the capture mode')
  }
}
