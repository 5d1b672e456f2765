import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (file: string): string => fileURLToPath(new URL(`./src/${file}`, import.meta.url))

/**
 * Suites that need a process each: they change the toolchain, the cache or the device of their process, count what all of
 * it allocates or frees, or take minutes, beside which a start is nothing. All others share a process, which loads the compiler
 * once; tests/support/shared-process.ts fails those that leave it other than they found it.
 */
const alone = [
  'tests/{cache,cli,package,runtime,scripts}/**/*.test.ts',
  'tests/cuda/{lost.test,*.slow.test}.ts',
  'tests/compile/{backend,bounded,warmup}.test.ts',
  'tests/{errors/mistakes,tensor/memory}.test.ts',
  'tests/{compile,docs,errors,examples,footguns,fuzz,profile,report,tensor,torch}/**/*.slow.test.ts',
]

/** Suites that share one stand-in for a GPU, with an interpreter of PTX behind it; on a GPU each has a process of its own. */
const cuda = ['tests/cuda/!(lost|*.slow).test.ts']
const hasGpu = existsSync('/dev/nvidiactl')

const onDevice = process.env.TEGULA_TEST_DEVICE !== undefined

export default defineConfig(({ mode }) => {
  // `npm test` leaves to `npm run test:all`: more samples, seeds, code points and targets, and what compiles most.
  const left = mode === 'quick' ? ['tests/**/*.slow.test.ts'] : []
  const env = { TEGULA_TEST_MODE: mode } // of each project: vitest calls this function again for each, in mode 'test'
  // The suites on another device than the CPU: `npm run test:gpu`. A fault ends what a process can do on a GPU.
  const setupFiles = ['tests/support/frames.ts', ...(onDevice ? ['tests/support/on-device.ts'] : [])]
  const shared = onDevice ? [] : ['tests/support/shared-process.ts']
  return {
    resolve: {
      // Examples and tests of the public surface import the package by name.
      alias: [
        { find: /^tegula$/, replacement: source('index.ts') },
        { find: /^tegula\/kernel$/, replacement: source('kernel.ts') },
        { find: /^tegula\/nn$/, replacement: source('nn/index.ts') },
        { find: /^tegula\/optim$/, replacement: source('optim/index.ts') },
        { find: /^tegula\/data$/, replacement: source('data/index.ts') },
        { find: /^tegula\/quant$/, replacement: source('quant/index.ts') },
        { find: /^tegula\/profile$/, replacement: source('profile/index.ts') },
        { find: /^tegula\/debug$/, replacement: source('debug/index.ts') },
      ],
    },
    test: {
      projects: [
        {
          extends: true,
          test: {
            name: 'shared',
            include: ['tests/**/*.test.ts'],
            exclude: [...alone, ...cuda, ...left],
            env,
            isolate: onDevice,
            setupFiles: shared,
            // Every core runs tests already: threads that collect garbage beside them cost time.
            execArgv: ['--single-threaded-gc', '--max-semi-space-size=64'],
          },
        },
        { extends: true, test: { name: 'cuda', include: cuda, env, isolate: hasGpu } },
        { extends: true, test: { name: 'alone', include: alone, exclude: left, env } },
      ],
      setupFiles,
      // Most of a run is waiting for the C compiler: every core has one to run.
      maxWorkers: '100%',
      // Against hangs only. Kernels are compiled by the system compiler: the first run of a test on a cold cache and a busy machine
      // takes minutes.
      testTimeout: 300_000,
      // Each project would transform the compiler anew: what one has transformed lies by its content in node_modules.
      experimental: { fsModuleCache: true },
      hookTimeout: 300_000,
    },
  }
})
