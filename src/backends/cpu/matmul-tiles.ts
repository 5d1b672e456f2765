/** GEMM tiles for a CPU: equal work for every core, with operands packed as seldom as that allows. */
import type { MatmulChoices, MatmulSizes, MatmulTiles } from '../../kernels/matmul.js'
import type { CpuTarget } from '../../target/cpu.js'

/** Packing an element costs about this many multiply-adds. */
const packingCost = 8
/** Cores start and finish at different times, by about this share of a tile. */
const tailShare = 0.1
/** Overhead of a program besides its arithmetic, in multiply-adds. */
const programCost = 20_000
/** Approximate rows and columns of a register block; a smaller rest of a tile costs as much as a whole block. */
const rowBlock = 8
const columnBlock = 16

const roundUp = (value: number, step: number): number => Math.ceil(value / step) * step
const candidates = (size: number | null, choices: readonly number[]): readonly number[] =>
  size === null || size > choices.at(-1)! ? choices : [...choices.filter(choice => choice < size), size]

/** The tile sizes with the lowest cost by the model: spills from the L2 cache, and how evenly programs fill the cores. */
export function cpuMatmulTiles(
  sizes: MatmulSizes,
  target: CpuTarget,
  choices: Pick<MatmulChoices, 'rows' | 'columns'>,
  k: number,
): MatmulTiles {
  const { m, n } = bestTile(sizes, target, choices, k)
  return { m, n, k }
}

/** Storing and loading an element of a partial sum costs about this many multiply-adds. */
const partialCost = 16
/** Overhead of the second launch of a split product, in multiply-adds. */
const secondLaunch = 500_000
/** Blocks of k in a part at least. */
const leastBlocks = 4

/** Parts of k, as many as cores or twice that, where too few tiles would fill the cores or operands be packed often; else 1. */
export function cpuMatmulParts(sizes: MatmulSizes, target: CpuTarget, choices: MatmulChoices): number {
  const { batch, m, n, k, lefts, rights } = sizes
  if (batch === null || m === null || n === null || k === null || m <= thinRows || n <= thinRows) return 1
  const results = batch * m * n * lefts * rights
  const cost = (parts: number): number => {
    const part = { ...sizes, batch: batch * parts, k: Math.ceil(k / parts) }
    const sums = parts === 1 ? 0 : secondLaunch + (partialCost * parts * results) / target.cores
    return bestTile(part, target, choices, Math.min(part.k, choices.depth)).cost + sums
  }
  const counts = [target.cores, 2 * target.cores].filter(count => count * leastBlocks * choices.depth <= k)
  return counts.reduce((best, count) => (cost(count) < cost(best) ? count : best), 1)
}

function bestTile(
  sizes: MatmulSizes,
  target: CpuTarget,
  choices: Pick<MatmulChoices, 'rows' | 'columns'>,
  k: number,
): { readonly m: number; readonly n: number; readonly cost: number } {
  const { lefts, rights } = sizes
  const known = { batch: sizes.batch ?? 1, m: sizes.m ?? 1024, n: sizes.n ?? 1024, k: sizes.k ?? 1024, lefts, rights }
  let best = { m: 1, n: 1, cost: Number.POSITIVE_INFINITY }
  for (const m of candidates(sizes.m, choices.rows)) {
    for (const n of candidates(sizes.n, choices.columns)) {
      // A packed block of b stays in the L2 cache while the rows of a stream past it.
      const spills = k * n * rights * 4 > target.l2Bytes / 2 ? 2 : 1
      const cost = spills * scheduleCost(known, m, n, target.cores)
      if (cost < best.cost) best = { m, n, cost }
    }
  }
  return best
}

/** GEMMs with at most this many rows are memory-bound on reading the matrix. */
const thinRows = 16
/** Tiles of small-M GEMMs, by rows: bound by reading the matrix only, or also by reading and writing accumulators. */
const thinCuts = [
  // Accumulators that stay in the L1 cache while the matrix is streamed; K blocks in order of preference.
  { rows: 4, sums: 4096, depths: [4, 5, 6, 7, 8, 9, 10, 3] },
  { rows: thinRows, sums: 8192, depths: [16, 12, 14, 15, 8, 10, 9, 11, 13, 7] },
] as const

/**
 * Tiles for a small-M GEMM with a row-major matrix: the matrix is read once, in long runs of a few rows at a time, and the
 * accumulators stay in cache. Null: the sizes do not suit.
 */
export function thinMatmulTiles({ m, n, k, lefts, rights }: MatmulSizes, target: CpuTarget): MatmulTiles | null {
  if (m === null || m > thinRows || n === null || k === null) return null
  const cut = thinCuts.find(({ rows }) => m <= rows)
  const depth = cut?.depths.find(each => k % each === 0)
  if (cut === undefined || depth === undefined) return null
  const share = roundUp(Math.ceil(n / target.cores), 4 * columnBlock)
  const held = Math.floor(cut.sums / (m * lefts * rights))
  // Blocks begin at whole cache lines.
  return { m, n: Math.min(n, share, Math.max(4 * columnBlock, held - (held % (4 * columnBlock)))), k: depth }
}

/** K per block: a divisor of k near the wanted one where there is one, so that no block is partly padding. */
export function depthBlock(k: number | null, depth: number): number {
  if (k === null) return depth
  if (k <= depth * 2) return Math.max(1, k)
  const blocks = Math.ceil(k / depth)
  for (let count = blocks; count <= blocks * 2; count++) if (k % count === 0) return k / count
  return depth
}

/** Up to this many programs per core the schedule is simulated; with more, the tail matters little. */
const simulated = 32

type KnownSizes = { readonly [Key in keyof MatmulSizes]: number }

/** Makespan in multiply-adds: each core takes the next tile when it finishes one. */
function scheduleCost(size: KnownSizes, m: number, n: number, cores: number): number {
  const rows = partsOf(size.m, m)
  const columns = partsOf(size.n, n)
  const count = (parts: readonly Part[]): number => parts.reduce((sum, part) => sum + part.count, 0)
  const programs = size.batch * count(rows) * count(columns)
  if (programs <= simulated * cores) return makespan(tilesInOrder(size, rows, columns), cores)
  const full = tileCost(Math.min(m, size.m), Math.min(n, size.n), size)
  let total = 0
  for (const row of rows) {
    for (const column of columns) total += row.count * column.count * tileCost(row.extent, column.extent, size)
  }
  return (size.batch * total) / cores + full / 2
}

/** Costs of a launch's programs in order: columns fastest, then rows, then batches. */
function tilesInOrder(size: KnownSizes, rows: readonly Part[], columns: readonly Part[]): number[] {
  const repeat = <T>(count: number, values: readonly T[]): T[] => Array.from({ length: count }, () => values).flat()
  const all = rows.flatMap(row => {
    const line = columns.flatMap(({ extent, count }) => repeat(count, [tileCost(row.extent, extent, size)]))
    return repeat(row.count, line)
  })
  return repeat(size.batch, all)
}

function makespan(costs: readonly number[], cores: number): number {
  const busy = new Array<number>(Math.min(cores, Math.max(1, costs.length))).fill(0)
  for (const cost of costs) busy[busy.indexOf(Math.min(...busy))]! += cost
  const last = Math.max(...busy)
  return cores > 1 ? last + tailShare * Math.max(0, ...costs) : last
}

function tileCost(rows: number, columns: number, { k, lefts, rights }: KnownSizes): number {
  const work = roundUp(rows, rowBlock) * roundUp(columns, columnBlock) * lefts * rights * k
  return work + packingCost * (rows * lefts + columns * rights) * k + programCost
}

interface Part {
  readonly extent: number
  readonly count: number
}

/** The full blocks of an axis, and the remainder. */
function partsOf(size: number, extent: number): Part[] {
  const parts = [
    { extent, count: Math.floor(size / extent) },
    { extent: size % extent, count: 1 },
  ]
  return parts.filter(part => part.extent > 0 && part.count > 0)
}
