/**
 * The choices of block sizes that `max-autotune` measures, the usual one first: what a cost model put next to it, and other
 * shares of work per program. Their names are remembered on disk.
 */
import { type CudaLimits, defaultLimits, type TilingLimits } from '../schedule/tiling.js'
import type { ComputeDevice } from './devices.js'

export interface TuningChoice {
  readonly name: string
  readonly limits: TilingLimits
}

const usual: TuningChoice = { name: 'usual blocks', limits: defaultLimits }
const { matmul, cuda } = defaultLimits

const cpuChoices: readonly TuningChoice[] = [
  usual,
  { name: 'small blocks', limits: { ...defaultLimits, maxProgram: 4096, minProgram: 1024, maxColumns: 256 } },
  { name: 'large blocks', limits: { ...defaultLimits, maxProgram: 65536, minProgram: 8192, maxRow: 65536 } },
  { name: 'shallow products', limits: { ...defaultLimits, matmul: { ...matmul, depth: 128 } } },
  { name: 'deep products', limits: { ...defaultLimits, matmul: { ...matmul, depth: 512 } } },
  {
    name: 'small product tiles',
    limits: { ...defaultLimits, matmul: { ...matmul, rows: [32, 64, 96], columns: [64, 128, 192] } },
  },
]

const onGpu = (name: string, changes: Partial<CudaLimits>): TuningChoice => ({
  name,
  limits: { ...defaultLimits, cuda: { ...cuda, ...changes } },
})

const cudaChoices: readonly TuningChoice[] = [
  usual,
  onGpu('small blocks', { mapped: cuda.mapped / 2, least: cuda.least / 2, most: cuda.most / 2 }),
  onGpu('large blocks', { mapped: cuda.mapped * 4, least: cuda.least * 4, most: cuda.most * 2 }),
  onGpu('more threads a row', { rowElements: cuda.rowElements / 2 }),
  onGpu('fewer threads a row', { rowElements: cuda.rowElements * 2 }),
  onGpu('narrow columns', { columnBytes: cuda.columnBytes / 2 }),
  onGpu('second tiles of products', { matmulRank: 1 }),
  onGpu('third tiles of products', { matmulRank: 2 }),
  onGpu('fourth tiles of products', { matmulRank: 3 }),
  onGpu('fifth tiles of products', { matmulRank: 4 }),
]

export const choicesFor = ({ kind }: Pick<ComputeDevice, 'kind'>): readonly TuningChoice[] =>
  kind === 'cpu' ? cpuChoices : cudaChoices

/** The block sizes of a choice by its name; names of another version mean the usual ones. */
export const limitsOfChoice = (kind: ComputeDevice['kind'], chosen: string): TilingLimits =>
  choicesFor({ kind }).find(({ name }) => name === chosen)?.limits ?? defaultLimits
