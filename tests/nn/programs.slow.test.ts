/**
 * Training programs of many kinds, six steps each from the same seed: a compiled step, one graph, gives the losses and weights of eager
 * code, in one version.
 */
import { afterEach, describe, expect, it, vi } from 'vitest'
import { compile, manualSeed, type Tensor } from '../../src/index.js'
import { hasCompiler } from '../support/compiler.js'
import { type Program, programs } from './programs.js'

afterEach(() => void vi.unstubAllEnvs())

type Step = Program['step']

interface Trajectory {
  readonly losses: readonly number[]
  /** Weights and buffers at the end. */
  readonly end: readonly number[]
}

const numbersOf = (x: Tensor): number[] => [...(x.detach().to('f64').dataSync() as Float64Array)]

function trajectory(make: () => Program, change: (step: Step) => Step): Trajectory {
  manualSeed(1)
  const { modules, inputs, step } = make()
  const run = change(step)
  const losses = Array.from({ length: 6 }, (_, i) => {
    manualSeed(100 + i)
    const result = run(...inputs(i))
    return [result].flat().flatMap(loss => numbersOf(loss as Tensor))
  })
  return { losses: losses.flat(), end: modules.flatMap(net => Object.values(net.stateDict()).flatMap(numbersOf)) }
}

function expectClose(found: readonly number[], wanted: readonly number[], what: string): void {
  expect(found.length).toBe(wanted.length)
  for (const [i, value] of wanted.entries())
    expect(Math.abs(found[i]! - value), `${what} ${i}`).toBeLessThan(1e-3 * (1 + Math.abs(value)))
}

describe.runIf(hasCompiler)('compiled training is eager training', () => {
  it.each(Object.entries(programs))('%s', { timeout: 300_000 }, (name, make: () => Program) => {
    let compiles = (): number => 0
    const compiled = trajectory(make, step => {
      const made = compile(step, { fullgraph: true })
      compiles = () => made.stats().compiles
      return made as Step
    })
    // lora keeps gradients, so that the first call finds others; maskedWords has batches of several lengths.
    expect(compiles()).toBe(['lora', 'maskedWords'].includes(name) ? 2 : 1)
    // The interpreter needs no C compiler for each op; it takes minutes for the dropout of attention.
    if (name !== 'translation') vi.stubEnv('TEGULA_BACKEND', 'interpreter')
    const eager = trajectory(make, step => step)
    expectClose(compiled.losses, eager.losses, 'loss')
    expectClose(compiled.end, eager.end, 'weight')
    expect(eager.losses.every(Number.isFinite)).toBe(true)
  })
})
