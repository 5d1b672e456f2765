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

/**
 * What `npm test` leaves to `npm run test:all`: the same checks over more samples, seeds, code points and targets, and what
 * compiles most. Each kind of check has suites that stay.
 */
const thorough = [
  ...['accuracy', 'agreement-b', 'agreement-cuda-b', 'assemble-cuda', 'attention-accuracy', 'compiled-b', 'eager'].map(
    name => `native/${name}`,
  ),
  ...['random-bits', 'variance'].map(name => `native/${name}`),
  ...['bad-input', 'calls', 'decode-exact', 'decoding', 'dual', 'encoding', 'exact-products', 'experts', 'layout'].map(
    name => `quant/${name}`,
  ),
  ...['quant', 'ragged', 'records', 'together'].map(name => `quant/${name}`),
  ...['math', 'math-exact', 'ops', 'ptx/ops'].map(name => `codegen/${name}`),
  ...['features', 'simt/mma', 'simt/wgmma'].map(name => `lower/${name}`),
  ...['deterministic', 'leak', 'process'].map(name => `compile/${name}`),
  ...['cli/bench', 'cli/gpu', 'cuda/low-precision', 'examples/workloads', 'fuzz/graphs', 'schedule/conformance'],
  'scripts/kernels',
  'scripts/gpu',
  'cuda/experts',
  'cuda/grouped',
  'schedule/siblings',
  'lower/simt/dot-groups',
  'cli/explain',
  'cli/usage',
  'package/package',
  'package/hover',
  'runtime/cuda/fuzz',
  'cuda/autotune',
  'compile/symbolic-attributes',
  'compile/changing-programs',
  'compile/export',
  'codegen/fuzz',
  'native/agreement-random',
  'native/attention',
  'tensor/float8',
  'quant/products',
  'compile/attention-dropout',
  'compile/surface',
  'lower/simt/wgmma-fuzz',
  'math/compiled',
  'fuzz/kernels',
  'compile/boxed-reads',
  'compile/symbolic-numbers',
  'lower/packed',
].map(name => `tests/${name}.test.ts`)

const onDevice = process.env.TEGULA_TEST_DEVICE !== undefined

export default defineConfig(({ mode }) => {
  // Workers inherit it. This is evaluated again for each project, whose mode is always `test`.
  if (mode === 'quick') process.env.TEGULA_TEST_MODE = mode
  const left = mode === 'quick' ? thorough : []
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
        { extends: true, test: { name: 'stateless', include: stateless, exclude: left, isolate: onDevice } }, // a fault ends what a process can do on a GPU
        { extends: true, test: { name: 'alone', include: ['tests/**/*.test.ts'], exclude: [...stateless, ...left] } },
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
