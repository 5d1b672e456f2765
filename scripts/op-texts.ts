/** What hover texts and docs say of parameters: what a record says itself, else what the name means everywhere. */
import { wantedText } from '../src/graph/kinds.js'
import type { OpRecord } from '../src/graph/record.js'
import { type Param, printValue } from '../src/graph/signature.js'

/** What a name means in every op that has it. */
const common: Readonly<Record<string, string>> = {
  self: 'the tensor',
  other: 'what it is combined with; the two broadcast',
  dim: 'the dim (negative ones count from the end)',
  keepdim: 'keep the reduced dims, with size 1',
  dtype: 'the dtype of the result',
  dims: 'the dims (negative ones count from the end)',
  dim0: 'one dim (negative ones count from the end)',
  dim1: 'one dim (negative ones count from the end)',
  dim2: 'the other dim (negative ones count from the end)',
  startDim: 'the first dim of those',
  endDim: 'the last dim of those',
  shape: 'the shape of the result; one size may be −1: it follows from the others',
  sizes: 'the sizes; −1 stands for one that follows',
  ranges: 'one per dim, from the first on',
  repeats: 'how often along each dim',
  index: 'the places along the dim',
  indices: 'the places along the dim',
  src: 'what is put there',
  source: 'what is put there',
  mask: 'where: true counts',
  tensors: 'the tensors',
  eps: 'a small number that keeps what is divided by from 0',
  upscaleFactor: 'how many rows and columns become of one',
  downscaleFactor: 'how many rows and columns become one',
}

/** One parameter: what it is, what it takes, its default. */
export function paramText(param: Param, record: OpRecord): string {
  const own = record.details?.[param.name] ?? common[param.name]
  const takes = wantedText(param.kinds.filter(kind => kind !== 'null'))
  const said = own === undefined ? takes : `${own}: ${takes}`
  if (param.fallback === undefined || param.fallback === null)
    return param.fallback === null ? `${said}; optional` : said
  return `${said}; default ${printValue(param.fallback)}`
}
