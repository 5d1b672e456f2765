/**
 * Random kernels that assign to captured variables in nested blocks: those that use a value outside of the block that
 * made it, and those that count in JavaScript, are refused; all others build. Which is which, a model of scopes tells.
 *
 * FUZZ_SEED=<first seed> and FUZZ_CASES=<count> replay or search on.
 */
import { describe, expect, it } from 'vitest'
import { KernelError } from '../../src/base/errors.js'
import { buildKernel, view } from '../../src/tile/kernel.js'
import type { TileBuilder, TileValue, ViewValue } from '../../src/tile/language.js'
import { seededRandom } from '../support/tensor-spec.js'

const first = Number(process.env.FUZZ_SEED ?? 1)
const cases = Number(process.env.FUZZ_CASES ?? 600)

type Step =
  | { readonly kind: 'assign' | 'use'; readonly variable: number; readonly constant: boolean }
  | { readonly kind: 'count' | 'countUsed' }
  | { readonly kind: 'range' | 'if' | 'while'; readonly steps: readonly Step[] }

const variables = 2

function randomSteps(random: () => number, depth: number): Step[] {
  const below = (count: number): number => Math.floor(random() * count)
  return Array.from({ length: 1 + below(3) }, (): Step => {
    const kind = below(depth > 0 ? 8 : 4)
    if (kind >= 4) {
      const block = (['range', 'if', 'while', 'range'] as const)[kind - 4]!
      return { kind: block, steps: randomSteps(random, depth - 1) }
    }
    if (below(12) === 0) return { kind: below(2) === 0 ? 'count' : 'countUsed' }
    return { kind: kind < 2 ? 'assign' : 'use', variable: below(variables), constant: below(3) === 0 }
  })
}

/** Runs the steps as the body of a kernel. */
function body(t: TileBuilder, out: ViewValue, s: TileValue, steps: readonly Step[]): void {
  const held: TileValue[] = new Array<TileValue>(variables).fill(s)
  const state = { count: 0 }
  const run = (list: readonly Step[]): void => {
    for (const step of list) {
      switch (step.kind) {
        case 'assign':
          held[step.variable] = step.constant ? t.const(2, 'f32') : held[step.variable]!.add(1)
          break
        case 'use':
          t.store(out, [0], held[step.variable]!)
          break
        case 'count':
          state.count++
          break
        case 'countUsed':
          t.store(out, [state.count], s)
          break
        case 'range':
          t.range(0, 3, 1, () => run(step.steps))
          break
        case 'if':
          t.if(s.gt(0), () => run(step.steps))
          break
        case 'while':
          t.while(
            { n: s },
            ({ n }) => n.gt(0),
            ({ n }) => {
              run(step.steps)
              return { n: n.sub(1) }
            },
          )
          break
      }
    }
  }
  run(steps)
}

/** Whether JavaScript state goes from one block, or one turn of it, to another: the model. */
function leaks(steps: readonly Step[]): boolean {
  interface Run {
    /** Per variable, the block in which its value was made: a number per run of a block. */
    readonly homes: number[]
    count: number
  }
  let blocks = 0
  /** Each block is run twice in a row, the second time without the blocks in it; what it does must be the same. */
  const run = (
    list: readonly Step[],
    open: readonly number[],
    state: Run,
    isSecond: boolean,
    seen: number[],
  ): boolean => {
    for (const step of list) {
      switch (step.kind) {
        case 'assign':
          if (!step.constant && !open.includes(state.homes[step.variable]!)) return true
          state.homes[step.variable] = open.at(-1)!
          break
        case 'use':
          if (!open.includes(state.homes[step.variable]!)) return true
          seen.push(-1)
          break
        case 'count':
          state.count++
          break
        case 'countUsed':
          seen.push(state.count)
          break
        default: {
          if (isSecond) break
          const [once, twice]: number[][] = [[], []]
          if (run(step.steps, [...open, ++blocks], state, false, once!)) return true
          if (run(step.steps, [...open, ++blocks], state, true, twice!)) return true
          if (once!.join() !== twice!.join()) return true
        }
      }
    }
    return false
  }
  const fresh = (): Run => ({ homes: new Array<number>(variables).fill(0), count: 0 })
  const [once, twice]: number[][] = [[], []]
  if (run(steps, [0], fresh(), false, once!) || run(steps, [0], fresh(), true, twice!)) return true
  return once!.join() !== twice!.join()
}

describe('random kernels that assign to captured variables', () => {
  it('are rejected where a value or a number leaves its block, and only there', () => {
    const counts = { refused: 0, built: 0 }
    for (let seed = first; seed < first + cases; seed++) {
      const steps = randomSteps(seededRandom(seed), 3)
      const build = (): unknown =>
        buildKernel({
          name: 'k',
          params: { out: view('f32', 1), s: 'f32' },
          grid: () => [1],
          body: (t, { out, s }) => {
            body(t, out, s, steps)
            t.store(out, [1], s)
          },
        })
      const text = `seed ${seed}: ${JSON.stringify(steps)}`
      if (leaks(steps)) {
        expect(build, text).toThrow(KernelError)
        counts.refused++
      } else {
        expect(build, text).not.toThrow()
        counts.built++
      }
    }
    expect(Math.min(counts.refused, counts.built)).toBeGreaterThan(cases / 10)
  })
})
