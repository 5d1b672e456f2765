/**
 * TEGULA_RECHECK=1: at each call the function runs again on symbolic tensors, and what it records is compared with what
 * was compiled. It finds what compiled code cannot see: closed-over numbers, flags and outer variables that changed.
 */
import { CaptureError } from '../base/errors.js'
import type { SizeSymbol } from '../graph/ir.js'
import { type Layout, makeLayout } from '../tensor/layout.js'
import { Tensor } from '../tensor/tensor.js'
import { type Capture, captureFunction, type TensorFunction } from './capture.js'
import { graphText } from './pipeline.js'
import type { Segment, TracedInput } from './tracer.js'
import { describeTree, rebuildTree, type Tree } from './tree.js'

/** What an entry was compiled from, to compare later traces with. */
export class TraceRecord {
  readonly #text: string
  readonly #result: string
  readonly #segment: Segment
  /** The shapes and strides that were traced: symbols are named after them, so later traces take the same. */
  readonly #layouts: readonly Layout[]
  /** `path:dim` of the symbolic sizes. */
  readonly #dynamic: ReadonlySet<string>

  /** Those of the symbolic sizes. */
  readonly #buckets: readonly NonNullable<SizeSymbol['bucket']>[]

  constructor({ segment, result, guards }: Capture, leaves: readonly Tensor[]) {
    this.#buckets = segment.graph.symbols.flatMap(({ bucket }) => bucket ?? [])
    this.#segment = segment
    this.#text = graphText(segment.graph)
    this.#result = resultText(result)
    this.#layouts = leaves.map(({ layout }) => layout)
    this.#dynamic = new Set(
      guards.tensors.flatMap(({ path, shape }) =>
        shape.flatMap((size, dim) => (typeof size === 'number' ? [] : [`${path}:${dim}`])),
      ),
    )
  }

  /** Traces `fn` again. Throws CaptureError, saying what differs, when it records something else. */
  compare(fn: TensorFunction, args: readonly unknown[], name: string): void {
    const changed = (what: string): CaptureError =>
      new CaptureError(`compile: ${name} records something else than what was compiled: ${what}`, {
        fix: 'pass what changes as an argument: numbers and flags are guarded, tensors are read at each call',
      })
    const { capture } = captureFunction(fn, this.#asTraced(args), {
      name,
      fullgraph: false,
      isDynamic: (path, dim) => this.#dynamic.has(`${path}:${dim}`),
      bucketOf:
        this.#buckets.length === 0 ? null : size => this.#buckets.find(({ min, max }) => min <= size && size <= max)!,
      runSegment: () => {
        throw changed('it reads values now')
      },
    })
    if (capture === null) throw changed('it needs sizes as numbers now that it did not need then')
    const difference = this.#difference(capture)
    if (difference !== null) throw changed(difference)
  }

  /** The arguments with the shapes of the first trace; a tensor that stands twice still does. */
  #asTraced(args: readonly unknown[]): readonly unknown[] {
    const leaves: Tensor[] = []
    const tree = describeTree(args, leaves, 'args')
    const made = new Map<Tensor, Tensor>()
    const traced = leaves.map((leaf, i) => {
      const known = made.get(leaf)
      if (known !== undefined) return known
      const { shape, strides } = this.#layouts[i]!
      const tensor = new Tensor(leaf.source, leaf.dtype, makeLayout(shape, strides, leaf.layout.offset), false)
      made.set(leaf, tensor)
      return tensor
    })
    return rebuildTree(tree, traced) as readonly unknown[]
  }

  #difference({ segment, result }: Capture): string | null {
    const text = graphText(segment.graph)
    if (text !== this.#text) return firstDifference(this.#text, text)
    if (resultText(result) !== this.#result) return 'its result has another structure'
    for (const [i, input] of segment.inputs.entries()) {
      const difference = inputDifference(this.#segment.inputs[i]!, input)
      if (difference !== null) return difference
    }
    const otherGenerator = segment.draws.findIndex(
      ({ generator }, i) => generator !== this.#segment.draws[i]!.generator,
    )
    return otherGenerator < 0 ? null : `random op ${otherGenerator} draws from another generator`
  }
}

/** The tensors behind arguments are the call's; closed-over ones must be the same objects, constants the same values. */
function inputDifference(then: TracedInput, now: TracedInput): string | null {
  switch (now.kind) {
    case 'argument':
      return null
    case 'closure':
      return then.tensor === now.tensor ? null : `${now.path} is another tensor: an outer variable was assigned`
    case 'constant':
      return sameValues(then.tensor, now.tensor) ? null : `${now.path} has other values: ${now.tensor.describe()}`
    default:
      return now.kind satisfies never
  }
}

function sameValues(a: Tensor, b: Tensor): boolean {
  const [left, right] = [a.dataSync(), b.dataSync()]
  return left.length === right.length && left.every((value, i) => Object.is(value, right[i]))
}

/** A result's structure: which output stands where. */
const resultText = (tree: Tree): string => JSON.stringify(tree)

function firstDifference(then: string, now: string): string {
  const [old, fresh] = [then.split('\n'), now.split('\n')]
  const line = fresh.findIndex((text, i) => text !== old[i])
  const show = (lines: readonly string[]): string => `'${(lines[line] ?? '').trim() || '(nothing)'}'`
  return line < 0 ? 'less than before' : `${show(old)} was compiled, now ${show(fresh)}`
}
