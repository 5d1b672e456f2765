/**
 * Shapes written as patterns: `rearrange(x, 'b (h d) -> b h d', { h: 8 })`. A name is a dim, names in parentheses are one dim
 * that is several, `1` is a dim of size 1, `...` the dims that are not named. All are reshape, permute, expand and reductions.
 */
import { describeAny } from '../base/describe.js'
import { ArgumentError, ShapeError } from '../base/errors.js'
import { signature, takeArguments } from './arguments.js'
import type { SizeLike } from './parameters.js'
import { SymbolicNumber } from './symbolic-number.js'
import type { Tensor } from './tensor.js'

/** Sizes of names in a pattern. */
export interface PatternSizes {
  readonly [name: string]: SizeLike
}

/** Per dim the names that it is composed of; none for `1`. */
type Side = readonly (readonly string[])[]
interface Pattern {
  readonly name: string
  readonly text: string
  readonly from: Side
  readonly to: Side
}

const dots = '...'
/** Dots in parentheses: all their dims are merged. */
const joined = '(...)'

/** The groups of names on one side of a pattern. */
function parseSide(name: string, text: string, side: string): Side {
  const refuse = (what: string): ArgumentError =>
    new ArgumentError(`${name}: ${what} in the pattern '${text}'`, { fix: "write it as 'b (h d) -> b h d'" })
  const tokens = side.match(/\.\.\.|[A-Za-z_]\w*|\d+|\S/g) ?? []
  const groups: string[][] = []
  let open: string[] | null = null
  for (const token of tokens) {
    if (token === '(' || token === ')') {
      if ((token === '(') === (open !== null)) throw refuse(`a stray '${token}'`)
      open = token === '(' ? [] : null
      if (open !== null) groups.push(open)
    } else if (token === '1') {
      if (open === null) groups.push([])
    } else if (token === dots || /^[A-Za-z_]/.test(token)) {
      if (groups.some(group => group.includes(token))) throw refuse(`'${token}' twice on one side`)
      if (open === null) groups.push([token])
      else open.push(token === dots ? joined : token)
    } else throw refuse(`'${token}'`)
  }
  if (open !== null) throw refuse("a '(' that is not closed")
  return groups
}

/** The sides of a pattern, with `...` replaced by the dims that it covers. */
function parsePattern(name: string, text: string, x: Tensor): Pattern {
  const sides = text.split('->')
  if (sides.length !== 2)
    throw new ArgumentError(`${name}: the pattern '${text}' has ${sides.length - 1} arrows`, {
      fix: "write the dims before and after one arrow: 'b h w c -> b c h w'",
    })
  const [from, to] = sides.map(side => parseSide(name, text, side)) as [Side, Side]
  if (from.some(group => group.includes(joined)))
    throw new ArgumentError(`${name}: '...' in parentheses before the arrow of '${text}'`, {
      fix: 'put it in parentheses behind the arrow only',
    })
  const hasDots = from.some(group => group.includes(dots))
  const rest = x.ndim - (from.length - Number(hasDots))
  if (rest < 0 || (!hasDots && rest > 0))
    throw new ShapeError(
      `${name}: '${text}' names ${from.length - Number(hasDots)} dims, the tensor is ${x.describe()}`,
      {
        fix: "name every dim, or write '...' for those between",
      },
    )
  const between = Array.from({ length: rest }, (_, i) => `…${i}`)
  const named = (group: readonly string[]): readonly string[] =>
    group.flatMap(label => (label === joined ? between : [label]))
  const spread = (side: Side): Side =>
    side.flatMap(group => (group.length === 1 && group[0] === dots ? between.map(label => [label]) : [named(group)]))
  return { name, text, from: spread(from), to: spread(to) }
}

/** Throws ArgumentError for sizes of names that are not in the pattern, or that are no sizes. */
function checkSizes({ name, text, from, to }: Pattern, sizes: PatternSizes): void {
  const known = [...from, ...to].flat()
  for (const [label, size] of Object.entries(sizes)) {
    if (!known.includes(label))
      throw new ArgumentError(`${name}: no '${label}' in the pattern '${text}'`, {
        fix: `its names are ${[...new Set(known)].filter(one => !one.startsWith('…')).join(', ')}`,
      })
    if (!(size instanceof SymbolicNumber) && !(Number.isSafeInteger(size) && size >= 0))
      throw new ArgumentError(`${name}: the size of '${label}' is ${describeAny(size)}`, {
        fix: 'give an integer of at least 0',
      })
  }
}

const times = (sizes: readonly SizeLike[]): SizeLike =>
  sizes.reduce<SizeLike>((a, b) => (typeof a === 'number' ? (typeof b === 'number' ? a * b : b.mul(a)) : a.mul(b)), 1)

/** The size of every name before the arrow. Throws ArgumentError or ShapeError if they are inconsistent. */
function sizesOf(pattern: Pattern, x: Tensor, given: PatternSizes): Map<string, SizeLike> {
  const { name, text, from } = pattern
  const sizes = new Map<string, SizeLike>()
  for (const [d, group] of from.entries()) {
    const whole: SizeLike = typeof x.sizes[d] === 'number' ? x.sizes[d] : x.dim(d)
    const open = group.filter(label => !Object.hasOwn(given, label))
    if (open.length > 1)
      throw new ArgumentError(`${name}: the sizes of ${open.join(' and ')} in '${text}' are not known`, {
        fix: `give all but one: { ${open.slice(1).join(', ')} }`,
      })
    for (const label of group) if (Object.hasOwn(given, label)) sizes.set(label, given[label]!)
    const known = times(group.filter(label => !open.includes(label)).map(label => sizes.get(label)!))
    const areNumbers = typeof whole === 'number' && typeof known === 'number'
    const fits = open.length === 0 ? whole === known : areNumbers && (known === 0 ? whole === 0 : whole % known === 0)
    if (areNumbers && !fits)
      throw new ShapeError(
        `${name}: dim ${d} of ${x.describe()} has ${whole} elements, '${group.length === 0 ? '1' : group.join(' ')}' makes ${known}${open.length === 0 ? '' : ` times ${open[0]}`}`,
        { fix: 'give sizes whose product is the size of the dim' },
      )
    for (const label of open)
      sizes.set(
        label,
        areNumbers ? (known === 0 ? 0 : whole / known) : group.length === 1 ? whole : quotient(whole, known),
      )
  }
  return sizes
}

const quotient = (whole: SizeLike, known: SizeLike): SizeLike =>
  (typeof whole === 'number' ? new SymbolicNumber(whole) : whole).floorDiv(known)

/** Applies a pattern; `fold` reduces the dims that are only before the arrow. */
function apply(
  pattern: Pattern,
  x: Tensor,
  given: PatternSizes,
  fold: (x: Tensor, dims: readonly number[]) => Tensor,
): Tensor {
  checkSizes(pattern, given)
  const sizes = sizesOf(pattern, x, given)
  const [before, after] = [pattern.from.flat(), pattern.to.flat()]
  const lost = before.flatMap((label, d) => (after.includes(label) ? [] : [d]))
  let result = x.reshape(before.map(label => sizes.get(label)!))
  if (lost.length > 0) result = fold(result, lost)
  const kept = before.filter(label => after.includes(label))
  const added = after.filter(label => !before.includes(label))
  for (const label of added) {
    if (!Object.hasOwn(given, label))
      throw new ArgumentError(
        `${pattern.name}: '${label}' of '${pattern.text}' is only behind the arrow, without a size`,
        {
          fix: `give its size: { ${label}: 2 }`,
        },
      )
    sizes.set(label, given[label]!)
  }
  const own = after.filter(label => kept.includes(label))
  result = result.permute(own.map(label => kept.indexOf(label)))
  for (const [d, label] of after.entries()) if (added.includes(label)) result = result.unsqueeze(d)
  if (added.length > 0) result = result.expand(after.map(label => sizes.get(label)!))
  return result.reshape(pattern.to.map(group => times(group.map(label => sizes.get(label)!))))
}

const patternSignature = signature('self, pattern: string')
const reduceSignature = signature(
  "self, pattern: string, reduction: 'sum' | 'mean' | 'max' | 'min' | 'prod' | 'any' | 'all'",
)

/** The last argument where it is an object of sizes. */
function takeSizes(args: readonly unknown[], count: number): readonly [readonly unknown[], PatternSizes] {
  const last = args[count]
  if (args.length !== count + 1 || typeof last !== 'object' || last === null || Array.isArray(last)) return [args, {}]
  return [args.slice(0, count), last as PatternSizes]
}

function requireNames({ name, text, from, to }: Pattern, isRepeat: boolean): void {
  const [before, after] = [from.flat(), to.flat()]
  const lost = before.find(label => !after.includes(label))
  const added = after.find(label => !before.includes(label))
  if (lost !== undefined)
    throw new ArgumentError(`${name}: '${lost}' is only before the arrow of '${text}'`, {
      fix: "name it behind the arrow too; reduce(x, pattern, 'mean') takes dims away",
    })
  if (added !== undefined && !isRepeat)
    throw new ArgumentError(`${name}: '${added}' is only behind the arrow of '${text}'`, {
      fix: 'name it before the arrow too; repeatPattern adds dims',
    })
}

const noFold = (x: Tensor): Tensor => x

/**
 * The same elements in other dims, as einops writes it: `rearrange(x, 'b (h d) -> b h d', { h: 8 })`. A view where one is
 * possible.
 *
 * @param input the tensor, with as many dims as the pattern names before '->'
 * @param pattern the dims before and after '->'; names in parentheses are one dim, `1` a dim of size 1, `...` the others
 * @param sizes sizes of names that do not follow from the tensor's shape
 * @returns the dims that the pattern names behind '->'; the dtype of `input`
 * @throws ArgumentError for a pattern that is none, or sizes that it does not name
 * @throws ShapeError when the sizes do not divide
 */
export function rearrange(input: Tensor, pattern: string, sizes?: PatternSizes): Tensor
export function rearrange(...args: readonly unknown[]): Tensor {
  const [rest, sizes] = takeSizes(args, 2)
  const { self, pattern: text } = takeArguments('rearrange', patternSignature, rest)
  const pattern = parsePattern('rearrange', text, self)
  requireNames(pattern, false)
  return apply(pattern, self, sizes, noFold)
}

/**
 * The elements in other dims, those with names only behind the arrow repeated, as einops' `repeat`:
 * `repeatPattern(x, 'h w -> h w c', { c: 3 })`.
 *
 * @param input the tensor, with as many dims as the pattern names before '->'
 * @param pattern as `rearrange` has it
 * @param sizes sizes of the new names, and of those that do not follow from the tensor's shape
 * @returns the dims that the pattern names behind '->'; the dtype of `input`
 * @throws ArgumentError for a pattern that is none, or sizes that it does not name
 * @throws ShapeError when the sizes do not divide
 */
export function repeatPattern(input: Tensor, pattern: string, sizes?: PatternSizes): Tensor
export function repeatPattern(...args: readonly unknown[]): Tensor {
  const [rest, sizes] = takeSizes(args, 2)
  const { self, pattern: text } = takeArguments('repeatPattern', patternSignature, rest)
  const pattern = parsePattern('repeatPattern', text, self)
  requireNames(pattern, true)
  return apply(pattern, self, sizes, noFold)
}

/**
 * The elements in other dims, those with names only before the arrow reduced, as einops' `reduce`:
 * `reduce(x, 'b c (h p) (w q) -> b c h w', 'mean', { p: 2, q: 2 })` pools.
 *
 * @param input the tensor, with as many dims as the pattern names before '->'
 * @param pattern as `rearrange` has it
 * @param reduction what is taken of the elements that become one
 * @param sizes sizes of names that do not follow from the tensor's shape
 * @returns the dims that the pattern names behind '->'; the dtype of the reduction
 * @throws ArgumentError for a pattern that is none, or sizes that it does not name
 * @throws ShapeError when the sizes do not divide
 * @throws DtypeError for the mean of integers
 */
export function reduce(
  input: Tensor,
  pattern: string,
  reduction: 'sum' | 'mean' | 'max' | 'min' | 'prod' | 'any' | 'all',
  sizes?: PatternSizes,
): Tensor
export function reduce(...args: readonly unknown[]): Tensor {
  const [rest, sizes] = takeSizes(args, 3)
  const { self, pattern: text, reduction } = takeArguments('reduce', reduceSignature, rest)
  const pattern = parsePattern('reduce', text, self)
  const added = pattern.to.flat().find(label => !pattern.from.flat().includes(label))
  if (added !== undefined)
    throw new ArgumentError(`reduce: '${added}' is only behind the arrow of '${text}'`, {
      fix: 'name it before the arrow too; repeatPattern adds dims',
    })
  return apply(pattern, self, sizes, (x, dims) => folds[reduction](x, dims))
}

const folds = {
  sum: (x: Tensor, dims: readonly number[]) => x.sum(dims),
  mean: (x: Tensor, dims: readonly number[]) => x.mean(dims),
  max: (x: Tensor, dims: readonly number[]) => x.amax(dims),
  min: (x: Tensor, dims: readonly number[]) => x.amin(dims),
  prod: (x: Tensor, dims: readonly number[]) => [...dims].reverse().reduce((left, dim) => left.prod(dim), x),
  any: (x: Tensor, dims: readonly number[]) => x.any(dims),
  all: (x: Tensor, dims: readonly number[]) => x.all(dims),
}
