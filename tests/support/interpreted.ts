import { afterEach, beforeEach, vi } from 'vitest'
import { isQuick } from './sample-choice.js'
import { onGpu } from './tensors.js'

/**
 * For suites about what is captured, guarded and compiled again, whatever kernels then run: under `npm test` the
 * interpreter runs these, `npm run test:all` compiles them. What compiled kernels compute is held by tests/native.
 */
export function interpretedWhenQuick(): void {
  if (!isQuick || onGpu) return
  beforeEach(() => void vi.stubEnv('TEGULA_BACKEND', 'interpreter'))
  afterEach(() => void vi.unstubAllEnvs())
}
