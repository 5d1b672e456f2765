/** Runs functions that should do the same on copies of their arguments, and compares what they give. */
import { describeTree, rebuildTree, resultsOnly } from '../compile/capture/tree.js'
import { defaultGenerator, manualSeed } from '../tensor/generator.js'
import { scope } from '../tensor/scope.js'
import type { Tensor } from '../tensor/tensor.js'
import { type Judge, requireAgreement } from './agreement.js'

export interface CheckedContender {
  readonly name: string
  readonly run: (...args: readonly never[]) => unknown
}

export interface CheckOptions {
  /** A contender's allowed error relative to a tensor's largest value; null: by dtype. */
  toleranceOf(name: string): number | null
  /** What a difference is called. Default: that compiled and eager differ. */
  readonly judge?: Judge
  /** The error of a result against independently computed numbers; null: there are none. */
  againstExpected?(name: string, result: unknown): number | null
}

/**
 * The error of each contender, run with the same random seed: against the expected numbers, else of its results, and of its
 * arguments' final values, against the first one's; null of the first without expected numbers. Throws AccuracyError, and errors of
 * the functions.
 */
export function checkContenders(
  contenders: readonly CheckedContender[],
  inputs: readonly unknown[],
  { toleranceOf, judge, againstExpected = () => null }: CheckOptions,
): (number | null)[] {
  const { seed, offset } = defaultGenerator
  try {
    return scope<(number | null)[]>(() => {
      const first = runOnCopies(contenders[0]!, inputs)
      const firstError = againstExpected(contenders[0]!.name, first.result)
      const others = contenders.slice(1).map(contender =>
        scope<number>(() => {
          const { name } = contender
          const tolerance = toleranceOf(name)
          const { result, args } = runOnCopies(contender, inputs)
          const error = againstExpected(name, result)
          const outputs = requireAgreement(name, result, first.result, tolerance, judge)
          const changed = requireAgreement(`${name}, arguments after the call`, args, first.args, tolerance, judge)
          return error ?? Math.max(outputs, changed)
        }),
      )
      return [firstError, ...others]
    })
  } finally {
    defaultGenerator.restore({ seed, offset })
  }
}

function runOnCopies({ run }: CheckedContender, inputs: readonly unknown[]) {
  manualSeed(0)
  const args = copyTensors(inputs)
  return { result: run(...args), args }
}

/** A copy of the arguments in which each tensor is copied once, even if it occurs several times. */
export function copyTensors(args: readonly unknown[]): readonly never[] {
  const leaves: Tensor[] = []
  const tree = describeTree(args, leaves, 'inputs')
  const copies = new Map<Tensor, Tensor>()
  const copied = leaves.map(leaf => {
    const copy = copies.get(leaf) ?? leaf.clone()
    copies.set(leaf, copy)
    return copy
  })
  return rebuildTree(tree, resultsOnly(copied)) as readonly never[]
}
