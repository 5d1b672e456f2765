/** Sizes to JSON and back: the disk cache stores plans with symbolic sizes. */
import {
  addSizes,
  floorDivSizes,
  maxSizes,
  minSizes,
  modSizes,
  mulSizes,
  type Size,
  SizeExpr,
  sizeSymbol,
} from './size.js'

export type SizeJson =
  | number
  | { readonly symbol: string; readonly min: number; readonly max: number }
  | { readonly op: 'floorDiv' | 'mod' | 'min' | 'max'; readonly a: SizeJson; readonly b: SizeJson }
  | { readonly sum: readonly { readonly coefficient: number; readonly factors: readonly SizeJson[] }[] }

export function sizeToJson(size: Size): SizeJson {
  if (typeof size === 'number') return size
  const atom = (text: string): SizeJson => {
    const found = size.atoms.get(text)!
    if (found.kind === 'symbol') return { symbol: found.name, min: found.min, max: found.max }
    return { op: found.kind, a: sizeToJson(found.a), b: sizeToJson(found.b) }
  }
  return { sum: size.terms.map(({ coefficient, atoms }) => ({ coefficient, factors: atoms.map(atom) })) }
}

const operations = { floorDiv: floorDivSizes, mod: modSizes, min: minSizes, max: maxSizes }

export function sizeFromJson(json: SizeJson): Size {
  if (typeof json === 'number') return json
  if ('symbol' in json) return sizeSymbol(json.symbol, json.min, json.max)
  if ('op' in json) return operations[json.op](sizeFromJson(json.a), sizeFromJson(json.b))
  return json.sum
    .map(({ coefficient, factors }) => factors.map(sizeFromJson).reduce<Size>(mulSizes, coefficient))
    .reduce<Size>(addSizes, 0)
}

/** Whether a text that `sizeReplacer` made needs the reviver. */
export const holdsSizes = (json: string): boolean => json.includes('"$size"')

/** A replacer and reviver for JSON.stringify/parse of data that contains sizes. */
export const sizeReplacer = (_key: string, value: unknown): unknown =>
  value instanceof SizeExpr ? { $size: sizeToJson(value) } : value

export const sizeReviver = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && '$size' in value ? sizeFromJson(value.$size as SizeJson) : value
