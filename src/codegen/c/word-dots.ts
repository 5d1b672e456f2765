/**
 * Dots of packed matrices in C (lane/word-dot.ts). The fastest instructions that the compiler may use are chosen by macros:
 * AMX multiplies tiles of 16 rows by 16 words, where the system grants the process their registers; AVX-512's dot products
 * multiply vectors of words; elsewhere plain loops give the same sums.
 */
import { panelColumns, type WordDotAttrs, type WordDtype, wordStep, wordSum } from '../../lane/word-dot.js'
import { tileInstructions } from '../../target/amx.js'
import { indent } from './prelude/piece.js'
import { call, type Expression, primary } from './text.js'

/** Rows of sums in vector registers at a time, with two vectors each: as many as hide the instructions' latency. */
const blockRows = 8
/** Rows of four tiles of sums. */
const tileRows = 32

const pattern = /\bdot_words_(bf16|i8)\b/g

export const isWordDotPiece = (name: string): boolean =>
  /^dot_(words|block|tiles)_(bf16|i8)$/.test(name) || name === 'tiles_allowed' || name === 'tile_config'

export function wordDotStatement(attrs: WordDotAttrs, operands: readonly Expression[]): Expression {
  const [acc, rows, panels, ...sizes] = operands as [Expression, Expression, Expression, ...Expression[]]
  const numbers = [attrs.pitch, attrs.rowPitch, attrs.panelPitch].map(pitch => primary(String(pitch)))
  const [pitch, rowPitch, panelPitch] = numbers as [Expression, Expression, Expression]
  const fresh = primary(attrs.fresh ? '1' : '0')
  return call(`dot_words_${attrs.of}`, [acc, pitch, rows, rowPitch, panels, panelPitch, ...sizes, fresh])
}

/** The definitions of the dots that `text` uses. */
export function wordDotPieces(text: string): string {
  const used = [...new Set([...text.matchAll(pattern)].map(match => match[1] as WordDtype))]
  if (used.length === 0) return ''
  return [tileInstructions, ...used.flatMap(of => [vectorBlock(of), tileProduct(of), whole(of)])].join('\n\n')
}

const guards = { bf16: '__AVX512BF16__', i8: '__AVX512VNNI__' } as const
const instructions = { bf16: 'vdpbf16ps', i8: 'vpdpbusd' } as const
const range = (count: number): readonly number[] => Array.from({ length: count }, (_, i) => i)

/** The sums of a block of rows by one panel. */
function vectorBlock(of: WordDtype): string {
  const sum = wordSum[of]
  const cells = range(blockRows).flatMap(i => range(2).map(v => ({ i, v, name: `s${i}_${v}`, at: `${v * 16}` })))
  const dot = (to: string, left: string, right: string): string =>
    `__asm__("${instructions[of]} %2, %1, %0" : "+v"(${to}) : "v"(${right}), "v"(${left}));`
  // The bytes of b are made unsigned by adding 128, so each sum is 128 times its row's sum too large.
  const right = (v: number): string =>
    `i32x16 b${v} = load_i32x16(b + w * ${panelColumns} + ${v * 16})${of === 'i8' ? ' ^ splat_i32x16((i32)0x80808080)' : ''};`
  const excess = range(blockRows).map(i => {
    const step = dot('e', `load_i32x16(a + ${i} * rowPitch + w)`, 'splat_i32x16(0x01010101)')
    const both = `i32x16 all = splat_i32x16(fold_add_i32x16(e) << 7);\n  s${i}_0 -= all, s${i}_1 -= all;`
    return `{\n  i32x16 e = {0};\n  for (i64 w = 0; w < words; w += ${wordStep}) ${step}\n  ${both}\n}`
  })
  const loop = [
    ...range(2).map(right),
    ...range(blockRows).map(
      i =>
        `{ i32x16 x = splat_i32x16(a[${i} * rowPitch + w]); ${dot(`s${i}_0`, 'x', 'b0')} ${dot(`s${i}_1`, 'x', 'b1')} }`,
    ),
  ]
  return `// ${blockRows} rows of sums by one panel.
LONG_FN void dot_block_${of}(${sum} *c, i64 pitch, const i32 *a, i64 rowPitch, const i32 *b, i64 words, int fresh) {
#if defined(${guards[of]}) && defined(__AVX512F__)
  ${sum}x16 ${cells.map(({ name }) => `${name} = {0}`).join(', ')};
  if (!fresh) {
${indent(indent(cells.map(({ i, name, at }) => `${name} = load_${sum}x16(c + ${i} * pitch + ${at});`).join('\n')))}
  }
  for (i64 w = 0; w < words; w++) {
${indent(indent(loop.join('\n')))}
  }
${of === 'i8' ? `${indent(excess.join('\n'))}\n` : ''}${indent(
  cells.map(({ i, name, at }) => `store_${sum}x16(c + ${i} * pitch + ${at}, ${name});`).join('\n'),
)}
#else
  for (int i = 0; i < ${blockRows}; i++) {
    for (int j = 0; j < ${panelColumns}; j++) {
      ${sum} s = fresh ? 0 : c[i * pitch + j];
      for (i64 w = 0; w < words; w++) {
        i32 x = a[i * rowPitch + w], y = b[w * ${panelColumns} + j];
${indent(indent(indent(indent(plainSteps[of]))))}
      }
      c[i * pitch + j] = s;
    }
  }
#endif
}`
}

const plainSteps: Readonly<Record<WordDtype, string>> = {
  bf16: `s += from_bits_f32((i32)((u32)x << 16)) * from_bits_f32((i32)((u32)y << 16));
s += from_bits_f32((i32)((u32)x & 0xffff0000)) * from_bits_f32((i32)((u32)y & 0xffff0000));`,
  i8: 'for (int g = 0; g < 32; g += 8) s += (i32)(i8)(x >> g) * (i32)(i8)(y >> g);',
}

/** The sums of 32 rows by one panel, in four tiles. */
function tileProduct(of: WordDtype): string {
  const sum = wordSum[of]
  const places = range(4).map(t => ({ t, at: `c + ${t >> 1 ? '16 * pitch + ' : ''}${(t & 1) * 16}` }))
  const each = (text: (place: { t: number; at: string }) => string): string => places.map(text).join(' ')
  return `#if TILES
// ${tileRows} rows of sums by one panel, in four tiles.
FN void dot_tiles_${of}(${sum} *c, i64 pitch, const i32 *a, i64 rowPitch, const i32 *b, i64 words, int fresh) {
  if (fresh) { ${each(({ t }) => `TILE_ZERO(${t});`)} }
  else { ${each(({ t, at }) => `TILE_LOAD(${t}, ${at}, pitch * 4);`)} }
  for (i64 w = 0; w < words; w += ${wordStep}) {
    TILE_LOAD(4, a + w, rowPitch * 4);
    TILE_LOAD(6, b + w * ${panelColumns}, ${panelColumns * 4});
    TILE_LOAD(7, b + w * ${panelColumns} + 16, ${panelColumns * 4});
    TILE_LOAD(5, a + 16 * rowPitch + w, rowPitch * 4);
    TILE_DOT_${of}(0, 4, 6);
    TILE_DOT_${of}(1, 4, 7);
    TILE_DOT_${of}(2, 5, 6);
    TILE_DOT_${of}(3, 5, 7);
  }
  ${each(({ t, at }) => `TILE_STORE(${t}, ${at}, pitch * 4);`)}
}
#endif`
}

/** Tiles multiply whole steps of words: those of rows end in zeros, but a zero times a NaN left in memory is none. */
const panelEnd = `#if TILES
    if (tiles_allowed)
      for (i64 w = words; w % ${wordStep} != 0; w++)
        for (int x = 0; x < ${panelColumns}; x++) panel[w * ${panelColumns} + x] = 0;
#endif`

/** The whole dot: panel by panel, blocks of rows; sums of blocks that stick out are copied. */
function whole(of: WordDtype): string {
  const sum = wordSum[of]
  return `// c += a b, or c = a b: packed rows by packed panels.
LONG_FN void dot_words_${of}(${sum} *c, i64 pitch, const i32 *a, i64 rowPitch, i32 *b, i64 panelPitch, i64 m, i64 n, i64 words, int fresh) {
  i64 step = ${blockRows};
#if TILES
  if (tiles_allowed) {
    step = ${tileRows};
    TILE_CONFIG(whole_tiles);
  }
#endif
  for (i64 j = 0; j < n; j += ${panelColumns}) {
    i32 *panel = b + j / ${panelColumns} * panelPitch;
${of === 'bf16' ? `${panelEnd}\n` : ''}\
    for (i64 i = 0; i < m; i += step) {
      const i32 *left = a + i * rowPitch;
      i64 height = m - i < step ? m - i : step, width = n - j < ${panelColumns} ? n - j : ${panelColumns};
      int inside = height == step && width == ${panelColumns};
      ${sum} edge[${tileRows * panelColumns}] __attribute__((aligned(64)));
      ${sum} *corner = c + i * pitch + j, *sums = inside ? corner : edge;
      i64 apart = inside ? pitch : ${panelColumns};
      if (!inside && !fresh)
        for (i64 y = 0; y < height; y++)
          for (i64 x = 0; x < width; x++) edge[y * ${panelColumns} + x] = corner[y * pitch + x];
#if TILES
      if (tiles_allowed) dot_tiles_${of}(sums, apart, left, rowPitch, panel, words, fresh);
      else
#endif
        dot_block_${of}(sums, apart, left, rowPitch, panel, words, fresh);
      if (!inside)
        for (i64 y = 0; y < height; y++)
          for (i64 x = 0; x < width; x++) corner[y * pitch + x] = edge[y * ${panelColumns} + x];
    }
  }
#if TILES
  if (tiles_allowed) TILE_RELEASE();
#endif
}`
}
