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
