/**
 * The ABI between generated C and the C runtime, as C text: generated code includes it verbatim, the runtime compiles
 * against it, and `steps.ts` writes these structures from TypeScript.
 */

/** Every kernel is a `tg_kernel`: it runs program instances [first, last) of the flattened grid (x fastest). */
export const kernelAbi = `#include <stdint.h>

typedef union { void *ptr; int64_t i; double f; } tg_arg;

/* Runs program instances [first, last) of the grid, flattened with x fastest. scratch: 64-byte aligned, this thread's. */
typedef void (*tg_kernel)(const tg_arg *args, const int64_t grid[3], int64_t first, int64_t last, char *scratch);
`

/** One launch. All fields are 8 bytes wide; the layout below counts in words of 8 bytes. */
export const stepAbi = `typedef struct {
  tg_kernel fn;
  const tg_arg *args;
  int64_t grid[3];
  int64_t scratch_bytes;
  int64_t min_chunk; /* a chunk holds at least so many program instances; <= 0: run on the caller's thread only */
} tg_step;
`

/** Word offsets into a tg_step, in agreement with `stepAbi` (the C side checks the size at compile time). */
export const stepLayout = { fn: 0, args: 1, grid: 2, scratchBytes: 5, minChunk: 6, words: 7 } as const

/** Program numbers are below 2^31 along each axis. */
export const maxGridExtent = 2 ** 31 - 1

/**
 * Values passed to steps when sizes change: integer arguments, and grids. Numbers are indices in the table of values and,
 * for an argument, its word offset from the first step.
 */
export const sizesAbi = `typedef struct { int32_t value, word; } tg_size_arg;
typedef struct { int32_t step, x, y, z, bytes, flops; } tg_size_grid;
/* Its arguments follow it, then its grids. */
typedef struct { const double *values; int32_t args, grids; } tg_sizes;
`

/** Word offsets into a tg_sizes. */
export const sizesLayout = { values: 0, counts: 1 } as const

const definition = /^(?:EXPORT )?(?:void|int|double) (\w+)\((.*)\{$/gm

/** The exported symbols of a C text, and how many of them are kernels. */
export function exportsOf(source: string): { readonly names: readonly string[]; readonly kernels: number } {
  const found = [...source.matchAll(definition)]
  return {
    names: found.map(([, name = '']) => name),
    kernels: found.filter(([, , rest = '']) => rest.includes('tg_arg *')).length,
  }
}

/** Characters of kernels that are worth a compiler process of their own. */
const unitCharacters = 12_000

/**
 * A generated text as several translation units for compilers that run at once: each has what precedes the first kernel, all of
 * it `static` or types, and some of the kernels. One unit if there is too little to divide, or anything but kernels.
 */
export function unitsOf(source: string, most: number): readonly string[] {
  const starts = [...source.matchAll(definition)].map(({ index }) => index)
  const first = starts[0] ?? source.length
  const size = source.length - first
  const count = Math.min(most, starts.length, Math.floor(size / unitCharacters))
  if (count < 2 || exportsOf(source).kernels < starts.length) return [source]
  const kernels = starts.map((start, i) => source.slice(start, starts[i + 1] ?? source.length))
  const units = Array.from({ length: count }, (): string[] => [])
  const filled = units.map(() => 0)
  // The largest first, each to the unit that has least.
  for (const kernel of kernels.sort((a, b) => b.length - a.length)) {
    const least = filled.indexOf(Math.min(...filled))
    units[least]!.push(kernel)
    filled[least]! += kernel.length
  }
  return units.map(unit => [source.slice(0, first), ...unit].join(''))
}
