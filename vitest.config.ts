import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (file: string): string => fileURLToPath(new URL(`./src/${file}`, import.meta.url))

export default defineConfig({
  resolve: {
    // Examples and tests of the public surface import the package by name.
    alias: [
      { find: /^tegula$/, replacement: source('index.ts') },
      { find: /^tegula\/kernel$/, replacement: source('kernel.ts') },
      { find: /^tegula\/nn$/, replacement: source('nn/index.ts') },
      { find: /^tegula\/quant$/, replacement: source('quant/index.ts') },
      { find: /^tegula\/quant$/, replacement: source('quant/index.ts') },
    ],
  },
  test: {
    include: ['tests/**/*.test.ts'],
    // The suites on another device than the CPU: `npm run test:gpu`.
    setupFiles: process.env.TEGULA_TEST_DEVICE === undefined ? [] : ['tests/support/on-device.ts'],
    // Most of a run is waiting for the C compiler: every core has one to run.
    maxWorkers: '100%',
    // Kernels are compiled by the system compiler: the first run of a test on a cold cache is slow, never hung.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
