/** A kernel under construction: its parameters (views of buffers, sizes, scalars) with what each launch passes for them. */
import { InternalError } from '../../base/errors.js'
import type { Access } from '../../loop/access.js'
import type { LoopNode } from '../../loop/ir.js'
import { addSizes, mulSizes, productOf, type Size, sameSize } from '../../scalar/size.js'
import type { Parameter, ProgramHints, TileNode, TileProgram, ViewDimOf, ViewType } from '../../tile/ir.js'
import { TileBuilder, TileValue, ViewValue } from '../../tile/language.js'
import { computeDtype, type Dtype, itemBytes, type TensorDtype } from '../../types/dtype.js'
import { affineKey } from '../groups/affine.js'
import type { PlanArgument } from '../plan/plan.js'
import type { Axes, Axis } from './axes.js'

/** A view with one dim per axis of its access (and one more at the end for gathers and rows). */
export interface AxisView {
  readonly view: ViewValue
  readonly axes: readonly Axis[]
  /** The offset of the view along an axis that begins before it (padding). */
  readonly starts: ReadonlyMap<Axis, number>
}

export interface ExtraDim {
  readonly size: Size
  readonly stride: Size
}

export class KernelWriter {
  readonly t: TileBuilder
  readonly #params: Parameter[] = []
  readonly #nodes: TileNode[] = []
  readonly args: PlanArgument[] = []
  /** Set by templates that override the lowering's choices. */
  hints: ProgramHints = {}
  readonly #views = new Map<string, AxisView>()
  readonly #merged = new Map<string, AxisView>()
  readonly #scalars = new Map<string, TileValue>()
  readonly #names = new Set<string>()
  /** The dims of views with each size that is known only at run time. */
  readonly #dims = new Map<string, ViewDimOf[]>()

  constructor(
    readonly name: string,
    readonly axes: Axes,
    /** A readable name for a buffer's views. */
    readonly nameOf: (buffer: number) => string,
  ) {
    this.t = new TileBuilder({ name, checked: false })
  }

  finish(): TileProgram {
    return {
      name: this.name,
      params: this.#params,
      equalSizes: [...this.#dims.values()].filter(dims => dims.length > 1),
      body: this.t.emitter.builder.finish([], this.#nodes),
      hints: this.hints,
    }
  }

  // --- views -------------------------------------------------------------------------------------------------------

  /** The view that an access reads or writes through; axes that it does not depend on are no dims of it. */
  view(access: Access, extra: ExtraDim | null = null): AxisView {
    const windows = new Map([...(access.windows ?? [])].map(([coord, window]) => [this.axes.of(coord), window]))
    const cut = [...windows].map(([axis, { start, size }]) => `${axis.id}:${start}+${size}`).join()
    const key = `${access.buffer};${affineKey(access.index)};${extra === null ? '' : `${extra.size};${extra.stride}`};${cut}`
    const known = this.#views.get(key)
    if (known !== undefined) return known
    const factors = this.axes.factors(access.index)
    const dims = [...factors].map(
      ([axis, stride]): ExtraDim => ({ size: windows.get(axis)?.size ?? axis.size, stride }),
    )
    if (extra !== null) dims.push(extra)
    const starts = new Map([...windows].map(([axis, { start }]) => [axis, start]))
    const first = [...starts].reduce<Size>(
      (offset, [axis, start]) => addSizes(offset, mulSizes(factors.get(axis)!, start)),
      access.index.offset,
    )
    const made = { view: this.#viewParam(access, first, dims), axes: [...factors.keys()], starts }
    this.#views.set(key, made)
    return made
  }

  /** Declares the views of all loads among `nodes` as the first parameters, so that axis sizes are taken from them. */
  viewLoads(nodes: readonly LoopNode[]): void {
    for (const node of nodes) if (node.op === 'load') this.view(node.attrs.access)
  }

  /** The view of an access with groups of contiguous axes merged: each is one dim at the place of its innermost axis. */
  mergedView(access: Access, groups: readonly (readonly Axis[])[]): AxisView {
    const key = `${access.buffer};${affineKey(access.index)};${groups.map(group => group.map(axis => axis.id).join()).join(';')} merged`
    const known = this.#merged.get(key)
    if (known !== undefined) return known
    const outer = new Set(groups.flatMap(group => group.slice(0, -1)))
    const factors = [...this.axes.factors(access.index)].filter(([axis]) => !outer.has(axis))
    const dims = factors.map(([axis, stride]): ExtraDim => {
      const group = groups.find(each => each.at(-1) === axis) ?? [axis]
      return { size: productOf(group.map(each => each.size)), stride }
    })
    const view = this.#viewParam(access, access.index.offset, dims)
    const made = { view, axes: factors.map(([axis]) => axis), starts: new Map<Axis, number>() }
    this.#merged.set(key, made)
    return made
  }

  /** A view of dims that are no axes: `access` is its first element. */
  tensorView(access: Access, dims: readonly ExtraDim[]): ViewValue {
    return this.#viewParam(access, access.index.offset, dims)
  }

  /** Adds a view parameter to the kernel, with the sizes and strides that are known as constants. */
  #viewParam(access: Access, offset: Size, dims: readonly ExtraDim[]): ViewValue {
    const fixed = (size: Size): number | null => (typeof size === 'number' ? size : null)
    const type: ViewType = {
      kind: 'view',
      dtype: access.dtype,
      sizes: dims.map(({ size }) => fixed(size)),
      strides: dims.map(({ stride }) => fixed(stride)),
    }
    const name = this.#unique(this.nameOf(access.buffer))
    for (const [dim, { size }] of dims.entries()) {
      if (typeof size === 'number') continue
      const same = this.#dims.get(String(size)) ?? []
      this.#dims.set(String(size), same)
      same.push({ param: this.#params.length, dim })
    }
    const node = this.t.emitter.emit('view', [], { index: this.#params.length, name, type })
    this.#addParam({ name, type }, node, {
      kind: 'view',
      buffer: access.buffer,
      offset,
      shape: dims.map(({ size }) => size),
      strides: dims.map(({ stride }) => stride),
    })
    return new ViewValue(this.t.emitter, node, name)
  }

  // --- scalars -----------------------------------------------------------------------------------------------------

  /** A size as a number if known, else as an i64 scalar passed at each launch. */
  size(size: Size): number | TileValue {
    if (typeof size === 'number') return size
    return this.#scalar(`size ${size}`, 'n', 'i64', { kind: 'size', value: size })
  }

  /** The length of an axis, from a view that has it if any, so that it is comparable with that view's bounds. */
  axisSize(axis: Axis): number | TileValue {
    if (typeof axis.size === 'number') return axis.size
    for (const { view, axes, starts } of this.#views.values()) {
      const dim = starts.has(axis) ? -1 : axes.indexOf(axis)
      if (dim >= 0) return view.size(dim)
    }
    return this.size(axis.size)
  }

  scalarInput(input: number, name: string, dtype: Dtype): TileValue {
    const wide = computeDtype(dtype)
    const value = this.#scalar(`input ${input}`, name, wide, { kind: 'scalarInput', input, dtype: wide })
    return value.to(dtype as TensorDtype)
  }

  #scalar(key: string, name: string, dtype: Dtype, arg: PlanArgument): TileValue {
    const known = this.#scalars.get(key)
    if (known !== undefined) return known
    const unique = this.#unique(name)
    const node = this.t.emitter.emit('scalar', [], { index: this.#params.length, name: unique, dtype })
    this.#addParam({ name: unique, type: { kind: 'scalar', dtype } }, node, arg)
    const made = new TileValue(this.t.emitter, node)
    this.#scalars.set(key, made)
    return made
  }

  #addParam(param: Parameter, node: TileNode, arg: PlanArgument): void {
    this.#params.push(param)
    this.#nodes.push(node)
    this.args.push(arg)
  }

  #unique(wanted: string): string {
    const base = /^[A-Za-z_]\w*$/.test(wanted) ? wanted : `v_${wanted.replaceAll(/\W+/g, '_')}`
    let name = base
    for (let i = 1; this.#names.has(name); i++) name = `${base}_${i}`
    this.#names.add(name)
    return name
  }
}

/** The memory that a view argument covers, for reports. */
export function bytesOf(arg: PlanArgument, dtype: Dtype): { readonly shape: readonly Size[]; readonly item: number } {
  if (arg.kind !== 'view') throw new InternalError('schedule: a scalar has no bytes')
  return { shape: arg.shape.filter((size, d) => !sameSize(arg.strides[d]!, 0) || size === 1), item: itemBytes(dtype) }
}
