import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (file: string): string => fileURLToPath(new URL(`./src/${file}`, import.meta.url))

/**
 * Folders whose suites keep nothing for the next one: they change no environment variable, device or executor. They share
 * a process, which loads the compiler once; a process for each of them would load it eighty times.
 */
const stateless = [
  ...['base', 'types', 'ir', 'scalar', 'graph', 'loop', 'tile', 'lane', 'lower', 'schedule', 'kernels', 'codegen'],
  ...['native', 'math', 'quant', 'bench'],
].map(folder => `tests/${folder}/**/*.test.ts`)

const onDevice = process.env.TEGULA_TEST_DEVICE !== undefined

export default defineConfig(({ mode }) => {
  // `npm test` leaves to `npm run test:all`: more samples, seeds, code points and targets, and what compiles most.
  const left = mode === 'quick' ? ['tests/**/*.slow.test.ts'] : []
  const env = { TEGULA_TEST_MODE: mode } // of each project: vitest calls this function again for each, in mode 'test'
  return {
    resolve: {
      // Examples and tests of the public surface import the package by name.
      alias: [
        { find: /^tegula$/, replacement: source('index.ts') },
        { find: /^tegula\/kernel$/, replacement: source('kernel.ts') },
        { find: /^tegula\/nn$/, replacement: source('nn/index.ts') },
        { find: /^tegula\/quant$/, replacement: source('quant/index.ts') },
      ],
    },
    test: {
      projects: [
        { extends: true, test: { name: 'stateless', include: stateless, exclude: left, env, isolate: onDevice } }, // a fault ends what a process can do on a GPU
        {
          extends: true,
          test: { name: 'alone', include: ['tests/**/*.test.ts'], exclude: [...stateless, ...left], env },
        },
      ],
      // The suites on another device than the CPU: `npm run test:gpu`.
      setupFiles: onDevice ? ['tests/support/on-device.ts'] : [],
      // Most of a run is waiting for the C compiler: every core has one to run.
      maxWorkers: '100%',
      // Kernels are compiled by the system compiler: the first run of a test on a cold cache is slow, never hung.
      testTimeout: 60_000,
      hookTimeout: 60_000,
    },
  }
})
