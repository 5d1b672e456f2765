/** The gain of max-autotune: default block sizes against tuned ones, in turn, on the same tensors. */
import { compile, type Tensor } from 'tegula'
import { type BenchCase, checkClose, dataOf, normal } from './case.js'
import { medianRatio, race, summarise } from './race.js'

const tuned = (
  name: string,
  inputs: readonly (readonly [readonly number[], scale?: number])[],
  fn: (...inputs: Tensor[]) => Tensor,
): BenchCase => ({
  name: `max-autotune: ${name}`,
  async run() {
    const tensors = inputs.map(([shape, scale]) => normal(shape, scale))
    const [usual, measured] = [compile(fn), compile(fn, { mode: 'max-autotune' })]
    checkClose(this.name, dataOf(measured(...tensors)), dataOf(usual(...tensors)), 1e-4)
    const contenders = { usual: usual, measured: measured }
    const rounds = await race(
      Object.values(contenders).map(f => ({ call: () => f(...tensors).dispose() })),
      { rounds: 9, calls: 15 },
    )
    const gain = medianRatio(rounds[0]!, rounds[1]!).toPrecision(3)
    const figures = { chosen: measured.stats().tuned.join(), 'gain, median of rounds': `${gain} ×` }
    return { name: this.name, ...summarise(Object.keys(contenders), rounds), figures, bars: [], notes: [] }
  },
})

/** Three shapes for which the default may not be the best: few rows, odd sizes, long rows. */
export const tunedCases: readonly BenchCase[] = [
  tuned('matmul 16×768×3072, gelu', [[[16, 768]], [[768, 3072], 0.04]], (x, w) => x!.matmul(w!).gelu()),
  tuned('matmul 200×1000×333', [[[200, 1000]], [[1000, 333]]], (a, b) => a!.matmul(b!)),
  tuned('softmax 4096×1024', [[[4096, 1024]]], x => x!.softmax(-1)),
]
