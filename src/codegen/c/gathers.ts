/**
 * Gathers and scatters: in AVX-512 by one instruction per 8 elements of 4 or 8 bytes, or 16 where indices are i32, elsewhere lane by lane.
 * Indices that descend by 1 take a load and a permutation.
 */
import { type Elem, elemBytes, fill, laneLoop, typeName } from './prelude/piece.js'

/** A gather or scatter of elements that memory holds as registers do. */
export interface Indexed {
  readonly name: string
  readonly family: 'gather' | 'scatter'
  readonly isMasked: boolean
  readonly elem: Elem
  readonly width: number
}

/** Lanes of an instruction: of its i64 indices, which fill a register. */
const lanes = 8

/** By element type: the suffix of GCC's builtins, and the type of its elements there. */
const machine: Partial<Readonly<Record<Elem, readonly [suffix: string, type: string]>>> = {
  f64: ['8df', 'double'],
  f32: ['16sf', 'float'],
  i64: ['8di', 'long long'],
  i32: ['16si', 'int'],
}

/** The definition, or null where there is no instruction for it. */
export function byInstruction(indexed: Indexed): string | null {
  const { name, family, isMasked, elem, width } = indexed
  const found = machine[elem]
  if (found === undefined || width < lanes) return null
  const params = [family === 'gather' ? 'const $S *p' : '$S *p', '$i64 i', ...(family === 'gather' ? [] : ['$T v'])]
  const head = `FN ${family === 'gather' ? '$T' : 'void'} ${name}(${[...params, ...(isMasked ? ['$b32 m'] : [])].join(', ')}) {`
  const body = width > lanes ? inHalves(indexed) : inOne(indexed, found)
  return fill(`${head}\n${body}\n}`, { elem, width, vectorBytes: 64 })
}

function inHalves({ family, isMasked, elem, width }: Indexed): string {
  const call = (half: 'lo' | 'hi'): string => {
    const of = (type: Elem | 'b32', value: string): string => `${half}_${typeName(type, width)}(${value})`
    const operands = ['p', of('i64', 'i'), ...(family === 'gather' ? [] : [of(elem, 'v')])]
    if (isMasked) operands.push(of('b32', 'm'))
    return `${family}${isMasked ? '_masked' : ''}_${typeName(elem, width / 2)}(${operands.join(', ')})`
  }
  return family === 'gather' ? `  return join_$T(${call('lo')}, ${call('hi')});` : `  ${call('lo')};\n  ${call('hi')};`
}

function inOne({ family, isMasked, elem }: Indexed, [suffix, type]: readonly [string, string]): string {
  const bytes = elemBytes[elem]
  const mask = isMasked ? '__builtin_ia32_cvtd2mask256((int __attribute__((vector_size(32))))m)' : '-1'
  const builtin = `__builtin_ia32_${family}div${suffix}`
  const condition = isMasked ? 'if (m[lane]) ' : ''
  const [wide, loop] =
    family === 'gather'
      ? [
          `return ($T)${builtin}((moved){0}, p, (indices)i, ${mask}, ${bytes});`,
          `$T r = {0};\n  ${laneLoop(lanes, 'lane')} ${condition}r[lane] = p[i[lane]];\n  return r;`,
        ]
      : [
          `${builtin}(p, ${mask}, (indices)i, (moved)v, ${bytes});`,
          `${laneLoop(lanes, 'lane')} ${condition}p[i[lane]] = v[lane];`,
        ]
  return `#if GCC_AVX512
  typedef ${type} moved __attribute__((vector_size(${bytes * lanes})));
  typedef long long indices __attribute__((vector_size(64)));
  ${wide}
#else
  ${loop}
#endif`
}

/** A gather by i32 indices, of which an instruction takes twice as many as of i64; null where there is none. */
export function byShortIndices(name: string, elem: Elem, width: number, isMasked: boolean): string | null {
  const found = machine[elem]
  if (found === undefined || width * elemBytes[elem] !== 64) return null
  const [suffix, type] = found
  const [count, bits] = [Number.parseInt(suffix, 10), width * 32]
  const mask = isMasked ? `__builtin_ia32_cvtd2mask${bits}((int __attribute__((vector_size(${bits / 8}))))m)` : '-1'
  const builtin = `__builtin_ia32_gathersiv${count}${suffix.replace(/\d+/, '')}`
  return fill(
    `FN $T ${name}(const $S *p, $i32 i${isMasked ? ', $b32 m' : ''}) {
#if GCC_AVX512
  typedef ${type} moved __attribute__((vector_size(64)));
  typedef int indices __attribute__((vector_size(${bits / 8})));
  return ($T)${builtin}((moved){0}, p, (indices)i, ${mask}, ${elemBytes[elem]});
#else
  $T r = {0};
  ${laneLoop(width, 'lane')} ${isMasked ? 'if (m[lane]) ' : ''}r[lane] = p[i[lane]];
  return r;
#endif
}`,
    { elem, width, vectorBytes: 64 },
  )
}

/** A gather whose indices descend by 1, of elements of a format in memory. */
export function reversedLoad(
  name: string,
  format: string,
  { elem, width, vectorBytes }: { readonly elem: Elem; readonly width: number; readonly vectorBytes: number },
): string {
  const codes = format === 'b32' ? 'u8' : format === 'f16' || format === 'bf16' ? 'u16' : format
  const head = `FN $T ${name}(const ${codes} *p, $i64 i) {`
  if (elemBytes[elem] * width > vectorBytes && width > 2) {
    const half = `gather_reversed_${format}x${width / 2}`
    const [lo, hi] = ['lo', 'hi'].map(part => `${half}(p, ${part}_${typeName('i64', width)}(i))`)
    return `${head}\n  return join_$T(${lo}, ${hi});\n}`
  }
  const lanesBack = Array.from({ length: width }, (_, lane) => width - 1 - lane).join(', ')
  return `${head}
  $T v = load_${format}x${width}(p + i[0] - ${width - 1});
#if __has_builtin(__builtin_shufflevector)
  return __builtin_shufflevector(v, v, ${lanesBack});
#else
  return __builtin_shuffle(v, ($I){${lanesBack}});
#endif
}`
}
