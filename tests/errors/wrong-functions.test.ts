/** Every exported function that is no op called wrongly, eagerly and while a function is captured. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import * as index from '../../src/index.js'
import * as kernels from '../../src/kernel.js'
import * as nn from '../../src/nn/index.js'
import * as quant from '../../src/quant/index.js'
import * as functions from '../../src/tensor/functions.js'
import { type FunctionTarget, functionTargets } from '../support/function-calls.js'
import { useReferenceExecutor } from '../support/reference-executor.js'
import { isQuick, quickly } from '../support/sample-choice.js'
import { complaint } from '../support/wrong-calls.js'
import { wrongFunctionCalls } from '../support/wrong-functions.js'

const { compile } = index

useReferenceExecutor()

class Enough extends Error {}

/** Makes the call while a function is captured, and nothing more of it. Gives what the call gave: it may be a promise. */
function traced(call: () => unknown): unknown {
  let given: unknown
  try {
    compile(() => {
      given = call()
      throw new Enough()
    })()
  } catch (error) {
    if (!(error instanceof Enough)) throw error
  }
  return given
}

/** Looks at the whole heap, a second each time; it takes no arguments. */
const slow: readonly string[] = ['memorySummary']

const ways: Readonly<Record<string, (call: () => unknown) => unknown>> = { eagerly: call => call(), captured: traced }

async function complaints(name: string, { call, right, says }: FunctionTarget, way: string): Promise<string[]> {
  const lines: string[] = []
  for (const form of right().keys())
    for (const { what, args, refused } of wrongFunctionCalls(() => right()[form]!)) {
      let said: string | null = refused ? 'was taken' : null
      try {
        await ways[way]!(() => call(...(args as readonly never[])))
      } catch (error) {
        const all = (says ?? [name]).map(prefix => complaint(prefix, error))
        said = all.includes(null) ? null : all[0]!
      }
      if (said !== null) lines.push(`${name} (${way}, ${what}): ${said}`)
    }
  return lines
}

beforeEach(() => void vi.stubEnv('TEGULA_BACKEND', 'interpreter'))

afterEach(() => {
  vi.unstubAllEnvs()
  index.setDefaultDevice('cpu')
  index.setFloat32MatmulPrecision('highest')
  index.setGradEnabled(true)
  index.setDetectAnomaly(false)
})

/** What works only with a GPU, or with what another function gave. */
const failing: Readonly<Record<string, string>> = {
  captureGraph: 'DeviceError',
  parallel: 'DeviceError',
  'new Stream': 'DeviceError',
  'new Event': 'DeviceError',
  'Stream.current': 'DeviceError',
  'Stream.main': 'DeviceError',
  withStream: 'ArgumentError',
  exportCompiled: 'ArgumentError',
  loadCompiled: 'ArtifactError',
}

describe('right calls work', () => {
  // tests/tensor/memory.test.ts calls the slow one.
  for (const [name, { call, right }] of Object.entries(functionTargets))
    it.skipIf(isQuick && slow.includes(name))(name, async () => {
      for (const args of right()) {
        const run = async (): Promise<unknown> => call(...(args as readonly never[]))
        if (failing[name] === undefined) await run()
        else await expect(run()).rejects.toMatchObject({ name: failing[name] })
      }
    })
})

describe('wrong calls are rejected with our own errors, not by JavaScript or the compiler', () => {
  const targets = Object.entries(functionTargets).filter(([each]) => !slow.includes(each))
  for (const [name, target] of quickly(targets, 32))
    for (const way of Object.keys(ways))
      it(`${name}, ${way}`, async () => {
        expect(await complaints(name, target, way)).toEqual([])
      })
})

const isClass = (value: unknown): boolean => typeof value === 'function' && /^class\b/.test(String(value))

it('every exported function is called', () => {
  const called = new Set<string>([...Object.keys(functionTargets)])
  const isOp = (name: string, value: unknown): boolean =>
    (functions as Readonly<Record<string, unknown>>)[name] === value
  const missing = [index, kernels, quant, nn.functional, index.linalg]
    .flatMap(module => Object.entries(module))
    .filter(([, value]) => typeof value === 'function' && !isClass(value))
    .filter(([name, value]) => !isOp(name, value) && !called.has(name))
  // Functions under another of PyTorch's names: vstack, nonzero, the op im2col.
  expect(missing.map(([name]) => name)).toEqual(['rowStack', 'argwhere', 'unfold'])
})
