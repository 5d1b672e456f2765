/**
 * A mixture-of-experts layer with weights in NVFP4: a router picks two experts for each token, tokens are sorted by expert,
 * and one ragged matmul multiplies each expert's tokens, with group ends in a tensor on the device. For comparison, a form
 * without sorting: every expert on every token.
 *
 *     npx tegula bench examples/workloads/experts.ts [--device cuda]
 *
 * 1024 tokens, 16 experts, width 2048 and hidden size 1024 on a GPU; 256 tokens, 8 experts, width 512 on a CPU.
 */
import {
  arange,
  type BenchCase,
  type BenchContext,
  getDefaultDevice,
  randn,
  searchsorted,
  type Tensor,
  zerosLike,
} from 'tegula'
import { type QuantizedTensor, quantize, raggedMatmul, scaledMatmul } from 'tegula/quant'
import { decodedRows, type Matrix, middle, type Range, rowsOf, times, toNumbers } from '../reference.js'

/** x [tokens, width] in f16; router [experts, width]; up [experts, hidden, width], down [experts, width, hidden]. */
type Inputs = [x: Tensor, router: Tensor, up: QuantizedTensor, down: QuantizedTensor]

/** Experts per token. */
const chosen = 2

const route = (x: Tensor, router: Tensor) => x.to('f32').matmul(router.t()).softmax(-1).topk(chosen)

function sorted(x: Tensor, router: Tensor, up: QuantizedTensor, down: QuantizedTensor): Tensor {
  const { values, indices } = route(x, router)
  const { values: expert, indices: order } = indices.reshape([-1]).sort()
  const ends = searchsorted(expert, arange(router.size(0)), { right: true })
  const token = order.floorDivide(chosen)
  const hidden = raggedMatmul(x.indexSelect(0, token), up, ends).silu()
  const out = raggedMatmul(hidden, down, ends, { outDtype: 'f32' }).indexSelect(0, order.argsort())
  return out
    .reshape([x.size(0), chosen, -1])
    .mul(values.unsqueeze(-1))
    .sum(1)
}

/** One expert's matrix of [experts, rows, columns]. */
const expertOf = (q: QuantizedTensor, expert: number): QuantizedTensor => ({
  ...q,
  values: q.values.select(0, expert),
  scales: q.scales.select(0, expert),
})

function everyExpert(x: Tensor, router: Tensor, up: QuantizedTensor, down: QuantizedTensor): Tensor {
  const { values, indices } = route(x, router)
  const shares = zerosLike(x.to('f32').matmul(router.t())).scatter(1, indices, values)
  const outputs = Array.from({ length: router.size(0) }, (_, expert) => {
    const hidden = scaledMatmul(x, expertOf(up, expert)).silu()
    return scaledMatmul(hidden, expertOf(down, expert), { outDtype: 'f32' }).mul(shares.narrow(1, expert, 1))
  })
  return outputs.reduce((sum, each) => sum.add(each))
}

/** Checked sample: some tokens, and some columns of them. */
const [tokensChecked, columnsChecked] = [2, 16]

/** The best experts of a row of scores, with the softmax of their scores. */
function best(scores: Float64Array): readonly { readonly expert: number; readonly share: number }[] {
  const weights = scores.map(score => Math.exp(score - Math.max(...scores)))
  const sum = weights.reduce((a, b) => a + b)
  return [...weights.keys()]
    .sort((a, b) => weights[b]! - weights[a]!)
    .slice(0, chosen)
    .map(expert => ({ expert, share: weights[expert]! / sum }))
}

function byHand([x, router, up, down]: Inputs, tokens: Range, columns: Range): Matrix {
  const rows = rowsOf(x, tokens)
  const experts = router.size(0)
  const scores = times(rows, rowsOf(router, [0, experts]))
  const width = columns[1] - columns[0]
  const data = new Float64Array(rows.rows * width)
  for (let row = 0; row < rows.rows; row++) {
    const own = {
      rows: 1,
      columns: rows.columns,
      data: rows.data.subarray(row * rows.columns, (row + 1) * rows.columns),
    }
    for (const { expert, share } of best(scores.data.slice(row * experts, (row + 1) * experts))) {
      const before = times(own, decodedRows(expertOf(up, expert), [0, up.values.size(1)]))
      const hidden = { ...before, data: before.data.map(value => value / (1 + Math.exp(-value))) }
      const out = times(hidden, decodedRows(expertOf(down, expert), columns))
      for (let column = 0; column < width; column++) data[row * width + column]! += share * out.data[column]!
    }
  }
  return { rows: rows.rows, columns: width, data }
}

function expertsCase(tokens: number, experts: number, width: number, hidden: number): BenchCase<Inputs, Tensor> {
  const weights = (rows: number, columns: number): QuantizedTensor =>
    quantize(randn([experts, rows, columns]).mul(columns ** -0.5), 'nvfp4')
  const [rows, columns] = [middle(tokens, tokensChecked), middle(width, columnsChecked)]
  const weightCount = 2 * experts * width * hidden
  return {
    name: `${experts} experts, ${tokens} tokens, ${width} wide, ${hidden} hidden`,
    inputs: () => [
      randn([tokens, width]).to('f16'),
      randn([experts, width]).mul(width ** -0.5),
      weights(hidden, width),
      weights(width, hidden),
    ],
    variants: { 'sorted by expert': sorted, 'every expert': everyExpert },
    sample: result => result.narrow(0, rows[0], rows[1] - rows[0]).narrow(1, columns[0], columns[1] - columns[0]),
    expected: (...inputs) => toNumbers(byHand(inputs, rows, columns)),
    // Hidden values are rounded to f16.
    tolerance: 2e-3,
    work: {
      flops: 4 * tokens * chosen * width * hidden,
      bytes: weightCount * (1 / 2 + 1 / 16) + tokens * width * 6,
      arithmetic: '16-bit',
    },
  }
}

export const cases = ({ quick }: BenchContext): readonly BenchCase<Inputs, Tensor>[] => {
  if (quick) return [expertsCase(20, 4, 64, 32)]
  return [getDefaultDevice() === 'cpu' ? expertsCase(256, 8, 512, 512) : expertsCase(1024, 16, 2048, 1024)]
}
