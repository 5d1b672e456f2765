import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts'],
    // Kernels are compiled by the system compiler: the first run of a test on a cold cache is slow, never hung.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
