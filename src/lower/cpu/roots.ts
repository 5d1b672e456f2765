/** Lists the roots of a program, scope by scope, in the order in which they run. */
import { panelColumns, rowStep, type WordDtype, wordGroup, wordStep } from '../../lane/word-dot.js'
import { gcd } from '../../scalar/lattice.js'
import type { CpuTarget } from '../../target/cpu.js'
import { type TileNode, tileType, viewType } from '../../tile/ir.js'
import { type Dtype, itemBytes } from '../../types/dtype.js'
import { isSingle, type ProgramPoint, type Scope, type Structure, shapeOf } from '../shared/structure.js'
import { isIdentity, uniformValue } from './axes.js'
import { type DotForm, dotForm } from './dots.js'
import {
  type AssignRoot,
  type BinsRoot,
  type Buffer,
  comparePoints,
  type DotRoot,
  denseBuffer,
  type PackRoot,
  type Root,
  type ThinDotRoot,
  type Value,
} from './plan.js'
import { isAlias, type Storage } from './storage.js'

type Take = Extract<TileNode, { op: 'take' }>

/** Order offset of roots that run right before or right after a value at the same point. */
const justAfter = 0.25
const justBefore = -0.25

export function listRoots(structure: Structure, storage: Storage, target: CpuTarget): Map<Scope, Root[]> {
  const lister = new RootLister(structure, storage, target)
  for (const node of structure.nodes) lister.visit(node)
  const roots = new Map<Scope, Root[]>()
  for (const scope of structure.scopes.values()) roots.set(scope, [])
  for (const root of lister.roots) roots.get(root.point.scope)!.push(root)
  for (const list of roots.values()) list.sort((a, b) => comparePoints(a.point, b.point))
  return roots
}

class RootLister {
  readonly roots: Root[] = []
  readonly #packs = new Map<string, PackRoot>()

  constructor(
    readonly structure: Structure,
    readonly storage: Storage,
    readonly target: CpuTarget,
  ) {}

  /** Adds the roots that compute or store a node. */
  visit(node: TileNode): void {
    const point = this.storage.points.of(node)
    switch (node.op) {
      case 'store':
        this.roots.push({ kind: 'store', nodes: [node], point, space: shapeOf(node.inputs.at(-1)!) })
        break
      case 'scatter':
      case 'atomic':
        this.roots.push({
          kind: 'indexed',
          node,
          point,
          buffer: this.storage.buffers.get(node) ?? null,
          space: shapeOf(node.inputs.at(-1)!),
        })
        break
      case 'reduce':
        this.roots.push({
          kind: 'reduce',
          node,
          point,
          buffer: this.storage.buffers.get(node) ?? null,
          space: shapeOf(node.inputs[0]!),
        })
        break
      case 'scan':
        if (!isSingle(node))
          this.roots.push({ kind: 'scan', node, point, buffer: this.storage.buffers.get(node)!, space: shapeOf(node) })
        break
      case 'histogram':
      case 'binOrder':
      case 'take':
        this.#bins(node, point)
        break
      case 'dot':
        this.#dot(node, point)
        break
      case 'range':
      case 'while':
      case 'if':
        this.roots.push({ kind: 'control', node, point, space: [] })
        this.#carried(node, point)
        break
      default:
        if (isSingle(node) && (node.op === 'load' || node.op === 'gather'))
          this.roots.push({ kind: 'single', node, point, space: [] })
        else if (this.storage.kept.has(node))
          this.roots.push({ kind: 'keep', node, point, buffer: this.storage.buffers.get(node)!, space: shapeOf(node) })
    }
  }

  #assign(value: TileNode, buffer: Buffer, point: ProgramPoint, source: Buffer | null = null): void {
    const root: AssignRoot = { kind: 'assign', value, buffer, source, point, space: buffer.shape }
    this.roots.push(root)
  }

  /** Assigns the buffers of carried tiles: initial values before a loop, next values at the end of each block. */
  #carried(node: Extract<TileNode, { op: 'range' | 'while' | 'if' }>, point: ProgramPoint): void {
    const slots = this.storage.slots.get(node)!
    const inits = node.op === 'range' ? node.inputs.slice(3) : node.op === 'while' ? node.inputs : []
    const before = { scope: point.scope, index: point.index - 1, order: Number.POSITIVE_INFINITY }
    const results = node.op === 'while' ? [node.blocks[1]!] : node.blocks
    slots.forEach((buffer, slot) => {
      if (buffer === null) return
      if (inits.length > 0) this.#assign(inits[slot]!, buffer, before)
      for (const block of results) {
        const scope = this.structure.scopes.get(block)!
        this.#carry(block.results[slot]!, buffer, scope)
      }
    })
  }

  #carry(value: TileNode, buffer: Buffer, scope: Scope): void {
    const end = (order: number): ProgramPoint => ({ scope, index: scope.block.body.length, order })
    const own = this.storage.buffers.get(value)
    if (own === buffer) return
    // The value is another carried tile of this loop, which is overwritten at this point too: save it first, assign it last.
    if (this.structure.params.get(baseOf(value))?.scope === scope) {
      const saved = denseBuffer('saved', buffer.dtype, buffer.shape)
      this.#assign(value, saved, end(0))
      this.#assign(value, buffer, end(2), saved)
    } else this.#assign(value, buffer, end(1))
  }

  #bins(node: BinsRoot['node'], point: ProgramPoint): void {
    const { buffers } = this.storage
    const order = node.op === 'take' ? this.#orderOf(node) : null
    if (node.op === 'take' && order !== null) {
      order.placed.push({ node, table: buffers.get(node.inputs[0]!)!, buffer: buffers.get(node)! })
      return
    }
    const inputs = node.inputs.map(input => buffers.get(input)!)
    const counters = node.op === 'take' ? null : denseBuffer('counters', 'i32', [node.attrs.bins + 1])
    this.roots.push({
      kind: 'bins',
      node,
      point,
      buffer: this.#isOnlyPlacing(node) ? null : buffers.get(node)!,
      inputs,
      counters,
      placed: [],
      space: inputs.at(-1)!.shape,
    })
  }

  /** True for an order that nothing but look-ups in its own order uses. */
  #isOnlyPlacing(node: BinsRoot['node']): boolean {
    if (node.op !== 'binOrder') return false
    return this.structure.users
      .get(node)!
      .every(user => user.op === 'take' && user.inputs[0] !== node && this.#isPlaced(user))
  }

  /** The order by bins that can leave the table of a look-up in its order; null: the look-up is one. */
  #orderOf(node: Take): BinsRoot | null {
    if (!this.#isPlaced(node)) return null
    return this.roots.find((root): root is BinsRoot => root.kind === 'bins' && root.node === node.inputs[1]) ?? null
  }

  /** True for a look-up by an order of bins whose table is computed before the order. */
  #isPlaced(node: Take): boolean {
    const [table, order] = node.inputs as [TileNode, TileNode]
    if (order.op !== 'binOrder' || shapeOf(table)[0]! < shapeOf(order)[0]!) return false
    const { points } = this.storage
    const [made, at] = [points.of(table), points.of(order)]
    return points.of(node).scope === at.scope && (made.scope !== at.scope || comparePoints(made, at) < 0)
  }

  #dot(node: Extract<TileNode, { op: 'dot' }>, point: ProgramPoint): void {
    const acc = node.inputs[2]!
    const { dtype, shape } = tileType(node)
    const [m, n] = shape as [number, number]
    const buffer = this.storage.buffers.get(node)!
    const left = tileType(node.inputs[0]!)
    const form = dotForm(this.target, left.dtype, dtype, m, n, left.shape[1]!)
    const known = form.kind === 'blocked' ? (uniformValue(acc) ?? null) : null
    const isWords = form.kind === 'blocked' && form.words !== null
    const start = isWords && !Object.is(Number(known), 0) ? null : known
    if (start === null) this.#assign(acc, buffer, { ...point, order: point.order + justBefore })
    if (form.kind === 'blocked' && form.words !== null)
      this.roots.push(this.#wordDot(node, point, buffer, form.words, start))
    else if (form.kind === 'blocked') this.roots.push(this.#blockedDot(node, point, buffer, form, start))
    else this.roots.push(this.#thinDot(node, point, buffer, form.large))
  }

  /** A dot whose right operand is packed into panels, unless it can be read in place. */
  #blockedDot(
    node: Extract<TileNode, { op: 'dot' }>,
    point: ProgramPoint,
    buffer: Buffer,
    { block }: Extract<DotForm, { kind: 'blocked' }>,
    start: DotRoot['start'],
  ): DotRoot {
    const [a, b] = node.inputs as [TileNode, TileNode]
    const { dtype } = tileType(node)
    const [k, n] = shapeOf(b) as [number, number]
    const across = a.op === 'transpose' ? this.#stored({ node: a.inputs[0]!, axes: [0, 1] }, dtype) : null
    const rows = across ?? this.#leftRows(a, dtype, k, block.rows)
    const panels = this.#stored({ node: b, axes: [0, 1] }, dtype)
    const inPlace = panels !== null && (n <= block.columns || staysInFirstCache(panels, block.columns, this.target))
    const packed = inPlace
      ? panels
      : this.#pack({ node: b, axes: [0, 1] }, [k, n], panelsBuffer(dtype, k, n, block.columns, this.target), 'panels')
    const isAcross = across !== null
    return { kind: 'dot', node, point, buffer, rows, panels: packed, isAcross, start, words: null, block, space: [] }
  }

  /** A dot of narrow elements, both operands packed in words. */
  #wordDot(
    node: Extract<TileNode, { op: 'dot' }>,
    point: ProgramPoint,
    buffer: Buffer,
    words: WordDtype,
    start: DotRoot['start'],
  ): DotRoot {
    const [a, b] = node.inputs as [TileNode, TileNode]
    const [m, k] = shapeOf(a) as [number, number]
    const [, n] = shapeOf(b) as [number, number]
    const rows = this.#pack({ node: a, axes: [0, 1] }, [m, k], wordRows(words, m, k), 'rows', words)
    const panels = this.#pack({ node: b, axes: [0, 1] }, [k, n], wordPanels(words, k, n), 'panels', words)
    const block = { rows: 1, columns: 1 }
    return { kind: 'dot', node, point, buffer, rows, panels, isAcross: false, start, words, block, space: [] }
  }

  /** The left operand of a blocked dot: in panels if its columns are contiguous in memory, else row-major. */
  #leftRows(a: TileNode, dtype: Buffer['dtype'], k: number, height: number): Buffer {
    const [m] = shapeOf(a) as [number, number]
    const value: Value = { node: a, axes: [0, 1] }
    const isWhole = Number.isInteger(Math.log2(height))
    if (!isWhole || contiguousDim(a) !== 0 || this.#stored(value, dtype) !== null)
      return this.#rows(value, [m, k], dtype)
    return this.#pack({ node: a, axes: [1, 0] }, [k, m], panelsBuffer(dtype, k, m, height, this.target), 'panels')
  }

  /** A dot with few rows (or columns): the small operand stays in cache while the large one is streamed once. */
  #thinDot(node: Extract<TileNode, { op: 'dot' }>, point: ProgramPoint, buffer: Buffer, side: 'a' | 'b'): ThinDotRoot {
    const [a, b] = node.inputs as [TileNode, TileNode]
    const { dtype } = tileType(node)
    const [m, k] = shapeOf(a) as [number, number]
    const [, n] = shapeOf(b) as [number, number]
    const small =
      side === 'b'
        ? this.#rows({ node: a, axes: [0, 1] }, [m, k], dtype)
        : this.#rows({ node: b, axes: [1, 0] }, [n, k], dtype)
    const large = side === 'b' ? b : a
    return {
      kind: 'thinDot',
      node,
      point,
      buffer,
      large: { node: large, axes: [0, 1] },
      axis: side === 'b' ? 0 : 1,
      small,
      side,
      space: shapeOf(large),
    }
  }

  /** A [rows, K] operand in the accumulator's dtype: in place, or packed. */
  #rows(value: Value, space: readonly number[], dtype: Buffer['dtype']): Buffer {
    const stored = this.#stored(value, dtype)
    if (stored !== null) return stored
    return this.#pack(value, space, denseBuffer('rows', dtype, space), 'rows')
  }

  /** The buffer in which an operand is stored already, in the accumulator's dtype; null: there is none whose contents last. */
  #stored({ node, axes }: Value, dtype: Buffer['dtype']): Buffer | null {
    const known = this.storage.buffers.get(node)
    const stored = known !== undefined && baseOf(node).op !== 'param' && known.dtype === dtype && isIdentity(axes)
    return stored ? known : null
  }

  /** One pack per operand and layout, right after the operand is computed. */
  #pack(
    value: Value,
    space: readonly number[],
    buffer: Buffer,
    side: PackRoot['side'],
    words: WordDtype | null = null,
  ): Buffer {
    const key = `${value.node.id}:${value.axes.join()}:${words ?? buffer.dtype}:${side}:${buffer.panel?.width ?? 0}`
    const known = this.#packs.get(key)
    if (known !== undefined) return known.buffer
    const operand = this.storage.points.of(value.node)
    const made: PackRoot = {
      kind: 'pack',
      value,
      buffer,
      side,
      words,
      space,
      point: { ...operand, order: operand.order + justAfter },
    }
    this.#packs.set(key, made)
    this.roots.push(made)
    return buffer
  }
}

/** The base of a chain of reshapes. */
function baseOf(node: TileNode): TileNode {
  let shown = node
  while (isAlias(shown)) shown = shown.inputs[0]!
  return shown
}

/** The dim along which a matrix is contiguous in the memory that it is loaded from; null: not known. */
function contiguousDim(matrix: TileNode): 0 | 1 | null {
  let node = matrix
  let dims: readonly number[] = [0, 1]
  for (;;) {
    if (node.op === 'load') {
      const { strides } = viewType(node.inputs[0]!)
      const found = dims.findIndex(dim => strides[dim] === 1)
      return found < 0 ? null : (found as 0 | 1)
    }
    if (node.op === 'transpose') {
      const { permutation } = node.attrs
      dims = dims.map(dim => permutation[dim]!)
    } else if (node.op === 'reshape') {
      const from = shapeOf(node.inputs[0]!)
      const own = [...from.keys()].filter(dim => from[dim] !== 1)
      const shape = shapeOf(node)
      if (own.length !== 2 || own.some((dim, i) => from[dim] !== shape.filter(size => size !== 1)[i])) return null
      const kept = [...shape.keys()].filter(dim => shape[dim] !== 1)
      dims = dims.map(dim => own[kept.indexOf(dim)] ?? -1)
    } else if (node.op !== 'cast') return null
    node = node.inputs[0]!
  }
}

const lineBytes = 64
/** Number of sets of the L1 cache; larger caches have more sets, which this does not rely on. */
const lineSets = 64

/**
 * True when the rows of one panel stay in the L1 cache while rows of a are streamed. Rows whose pitch is a multiple of a large
 * power of two do not: they map to the same few sets.
 */
function staysInFirstCache({ shape, strides, dtype }: Buffer, columns: number, target: CpuTarget): boolean {
  const pitch = strides[0]! * itemBytes(dtype)
  const ways = Math.floor(target.l1Bytes / (lineBytes * lineSets))
  const lines = Math.ceil((columns * itemBytes(dtype)) / lineBytes)
  const sets = pitch % lineBytes === 0 ? lineSets / gcd(pitch / lineBytes, lineSets) : lineSets
  return shape[0]! * lines <= Math.max(sets, lines) * ways
}

const roundUp = (size: number, step: number): number => Math.ceil(size / step) * step

/** Words along K, padded, of an operand with `k` elements. */
const wordsAlong = (words: WordDtype, k: number): number => roundUp(Math.ceil(k / wordGroup[words]), wordStep)

/** Added to a pitch of words: at a power of two, rows would map to the same L1 sets. */
const pitchPadding = wordStep

/** An [m, k] operand as rows of words. */
function wordRows(words: WordDtype, m: number, k: number): Buffer {
  const pitch = wordsAlong(words, k) + pitchPadding
  return { ...denseBuffer('rows', 'i32', [m, k]), strides: [pitch, 1], count: roundUp(m, rowStep) * pitch }
}

/** A [k, n] operand as panels of words. */
function wordPanels(words: WordDtype, k: number, n: number): Buffer {
  const stride = wordsAlong(words, k) * panelColumns + pitchPadding
  const count = Math.ceil(n / panelColumns) * stride
  const panel = { width: panelColumns, stride }
  return { ...denseBuffer('panels', 'i32', [k, n]), strides: [panelColumns, 1], count, panel }
}

/**
 * A [k, n] operand in panels of `width` columns. The number of rows is rounded up to a whole vector, so that packing may
 * transpose squares, plus one row: panels at a power-of-two pitch would map to the same L1 sets.
 */
function panelsBuffer(dtype: Dtype, k: number, n: number, width: number, target: CpuTarget): Buffer {
  const lanes = target.vectorBytes / itemBytes(dtype)
  const stride = (Math.ceil(k / lanes) * lanes + 1) * width
  const count = Math.ceil(n / width) * stride
  return { ...denseBuffer('panels', dtype, [k, n]), strides: [width, 1], count, panel: { width, stride } }
}
