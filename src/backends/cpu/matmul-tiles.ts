/** Tiles of a matrix product for a CPU: equal work for every core, operands packed as seldom as that allows. */
import type { MatmulChoices, MatmulSizes, MatmulTiles } from '../../kernels/matmul.js'
import type { CpuTarget } from '../../target/cpu.js'

/** Packing an element costs about this many multiply-adds. */
const packingCost = 8
/** Cores start and end apart by about this share of a tile. */
const tailShare = 0.1
/** What a program costs beside its arithmetic, in multiply-adds. */
const programCost = 20_000
/** Rows and columns that a register block holds, about: smaller parts of a tile are worked on as whole blocks. */
const rowBlock = 8
const columnBlock = 16

const roundUp = (value: number, step: number): number => Math.ceil(value / step) * step
const candidates = (size: number | null, choices: readonly number[]): readonly number[] =>
  size === null || size > choices.at(-1)! ? choices : [...choices.filter(choice => choice < size), size]

export function cpuMatmulTiles(
  sizes: MatmulSizes,
  target: CpuTarget,
  choices: Pick<MatmulChoices, 'rows' | 'columns'>,
  k: number,
): MatmulTiles {
  const { lefts, rights } = sizes
  const known = { batch: sizes.batch ?? 1, m: sizes.m ?? 1024, n: sizes.n ?? 1024, k: sizes.k ?? 1024, lefts, rights }
  let best: MatmulTiles & { cost: number } = { m: 1, n: 1, k, cost: Number.POSITIVE_INFINITY }
  for (const m of candidates(sizes.m, choices.rows)) {
    for (const n of candidates(sizes.n, choices.columns)) {
      // A packed block of b stays in the cache while the rows of a pass by it.
      const spills = k * n * rights * 4 > target.l2Bytes / 2 ? 2 : 1
      const cost = spills * scheduleCost(known, m, n, target.cores)
      if (cost < best.cost) best = { m, n, k, cost }
    }
  }
  return { m: best.m, n: best.n, k: best.k }
}

/** Up to this many rows a product is thin: bound by reading the matrix, not by arithmetic. */
const thinRows = 16
/** How thin products are cut, by their rows: by reading alone, or by reading and writing the sums as well. */
const thinCuts = [
  // Sums that stay in the first cache beside what streams by; rows of the matrix taken at once, best first.
  { rows: 4, sums: 4096, depths: [4, 5, 6, 7, 8, 9, 10, 3] },
  { rows: thinRows, sums: 8192, depths: [16, 12, 14, 15, 8, 10, 9, 11, 13, 7] },
] as const

/**
 * Tiles for a product of few rows with a matrix that lies row after row: the matrix is read once, a few long stretches
 * of its rows at a time, and the sums wait in the cache. Null: the sizes do not suit.
 */
export function thinMatmulTiles({ m, n, k, lefts, rights }: MatmulSizes, target: CpuTarget): MatmulTiles | null {
  if (m === null || m > thinRows || n === null || k === null) return null
  const cut = thinCuts.find(({ rows }) => m <= rows)
  const depth = cut?.depths.find(each => k % each === 0)
  if (cut === undefined || depth === undefined) return null
  const share = roundUp(Math.ceil(n / target.cores), 4 * columnBlock)
  return { m, n: Math.min(n, share, Math.floor(cut.sums / (m * lefts * rights))), k: depth }
}

/** A block of k: a divisor where one is near the wanted depth, so that no block is part padding. */
export function depthBlock(k: number | null, depth: number): number {
  if (k === null) return depth
  if (k <= depth * 2) return Math.max(1, k)
  const blocks = Math.ceil(k / depth)
  for (let count = blocks; count <= blocks * 2; count++) if (k % count === 0) return k / count
  return depth
}

/** Up to this many programs per core it is worked out who does which; beyond, the last ones matter little. */
const simulated = 32

type KnownSizes = { readonly [Key in keyof MatmulSizes]: number }

/** Time until the last core is done, in multiply-adds: each takes the next tile when it has finished one. */
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

/** The costs of the programs of a launch: columns fastest, then rows, then batches. */
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

/** The full parts of an axis and the rest. */
function partsOf(size: number, extent: number): Part[] {
  const parts = [
    { extent, count: Math.floor(size / extent) },
    { extent: size % extent, count: 1 },
  ]
  return parts.filter(part => part.extent > 0 && part.count > 0)
}
