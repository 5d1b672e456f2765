/** The sizes of the survey, by family: what one op is measured at. All are plain numbers; forms.ts makes arguments of them. */

/** A matrix: rows × columns, of all aspect ratios, powers of two and primes. */
export interface MatrixSize {
  readonly rows: number
  readonly columns: number
}

/** Images of `channels`, each height × width. */
export interface ImageSize {
  readonly images: number
  readonly channels: number
  readonly height: number
  readonly width: number
}

/** `batch` products of [m, k] and [k, n]. */
export interface ProductSize {
  readonly batch: number
  readonly m: number
  readonly k: number
  readonly n: number
}

/** Heads of queries that share heads of keys and values. */
export interface AttentionSize {
  readonly batch: number
  readonly heads: number
  readonly sharedHeads: number
  readonly queries: number
  readonly keys: number
  readonly depth: number
}

const matrix = ([rows, columns]: readonly [number, number]): MatrixSize => ({ rows, columns })

const sizesOfMatrices: readonly (readonly [number, number])[] = [
  [1, 1],
  [3, 5],
  [1, 1000],
  [1000, 1],
  [32, 32],
  [1, 65_536],
  [65_536, 1],
  [17, 4097],
  [4097, 17],
  [256, 256],
  [1009, 61],
  [1, 2 ** 20],
  [2 ** 20, 1],
  [1024, 1024],
  [100_003, 10],
  [10, 100_003],
  [262_144, 4],
  [16, 65_536],
  [4096, 768],
  [512, 5120],
  [64, 128_256],
  [8, 262_144],
  [1, 2 ** 24],
  [4096, 4096],
  [2 ** 20, 16],
  [1_000_003, 31],
  [2, 2 ** 24],
  [16_384, 1000],
  [8192, 8192],
  [16_384, 16_384],
]
export const matrixSizes: readonly MatrixSize[] = sizesOfMatrices.map(matrix)

const sizesOfImages: readonly (readonly [number, number, number, number])[] = [
  [1, 4, 5, 7],
  [1, 8, 32, 32],
  [2, 16, 9, 9],
  [1, 64, 56, 56],
  [16, 512, 7, 7],
  [8, 4, 224, 224],
  [4, 8, 131, 127],
  [32, 64, 56, 56],
  [64, 256, 14, 14],
  [1, 4, 1080, 1920],
  [64, 32, 112, 112],
]
export const imageSizes: readonly ImageSize[] = sizesOfImages.map(([images, channels, height, width]) => ({
  images,
  channels,
  height,
  width,
}))

const sizesOfProducts: readonly (readonly [number, number, number, number])[] = [
  [1, 17, 33, 29],
  [1, 1, 64, 64],
  [1, 128, 128, 128],
  [1, 1, 4096, 4096],
  [1, 4096, 4096, 1],
  [1, 512, 512, 512],
  [1, 1009, 1013, 1019],
  [1, 1024, 1024, 1024],
  [1, 128, 65_536, 128],
  [1, 65_536, 64, 64],
  [1, 64, 64, 65_536],
  [1, 16, 4096, 11_008],
  [1, 2048, 2048, 2048],
  [1, 8192, 8192, 16],
  [1, 4096, 4096, 4096],
  [4096, 3, 3, 3],
  [1024, 16, 16, 16],
  [64, 128, 64, 128],
  [256, 1, 128, 1024],
  [8, 512, 512, 512],
  [32, 1024, 64, 1024],
]
export const productSizes: readonly ProductSize[] = sizesOfProducts.map(([batch, m, k, n]) => ({ batch, m, k, n }))

const sizesOfAttention: readonly (readonly [number, number, number, number, number, number])[] = [
  [1, 2, 2, 7, 9, 16],
  [1, 8, 8, 128, 128, 64],
  [8, 12, 12, 197, 197, 64],
  [64, 8, 8, 49, 49, 32],
  [2, 8, 8, 77, 1024, 40],
  [1, 32, 8, 1, 4096, 128],
  [4, 16, 16, 1024, 1024, 64],
  [2, 16, 16, 2048, 2048, 128],
  [1, 8, 8, 1000, 1000, 256],
  [1, 32, 8, 1, 32_768, 128],
  [16, 32, 8, 1, 8192, 128],
  [4, 32, 8, 16, 2048, 128],
  [1, 16, 16, 4096, 4096, 16],
]
export const attentionSizes: readonly AttentionSize[] = sizesOfAttention.map(
  ([batch, heads, sharedHeads, queries, keys, depth]) => ({ batch, heads, sharedHeads, queries, keys, depth }),
)
