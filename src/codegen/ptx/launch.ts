/**
 * The binary interface of an entry: one parameter per argument, of 8 bytes except for structures, then the grid's sizes x,
 * y and z. The launch is one-dimensional, x fastest, with fewer than 2^31 blocks; program ids are derived from the block
 * number. A program that uses only its x position is launched with y = z = 1.
 */
import { nodesOf } from '../../ir/walk.js'
import type { ArgumentType, LaneNode, LaneProgram } from '../../lane/ir.js'
import type { Liveness } from '../../lane/live.js'
import type { Dtype } from '../../types/dtype.js'
import type { Code } from './code.js'
import { convert } from './convert.js'
import { Registers } from './registers.js'
import { kindOf } from './types.js'
import type { Values } from './values.js'

const axes = ['x', 'y', 'z'] as const

export class Launch {
  readonly #params: readonly string[]
  readonly #grid: readonly string[]
  readonly #pointers = new Map<LaneNode, string>()
  /** Registers of 32 and 64 bits created so far, by what they hold. */
  readonly #known = new Map<string, string>()
  readonly #onlyX: boolean

  constructor(
    readonly program: LaneProgram,
    readonly code: Code,
    readonly live: Liveness,
  ) {
    const names = new Registers()
    this.#params = program.args.map(({ name }) => names.label(`${name}_param`))
    this.#grid = axes.map(axis => names.label(`grid_${axis}`))
    const places = [...nodesOf(program.body)].filter(node => node.op === 'programId' || node.op === 'numPrograms')
    this.#onlyX = places.every(node => node.op === 'programId' && node.attrs.axis === 0)
  }

  /** The lines before the body. */
  head(symbol: string): string[] {
    const { args, block } = this.program
    const params = [
      ...this.#params.map((name, i) => `  .param ${paramType(args[i]!.type)} ${name}${paramSize(args[i]!.type)}`),
      ...this.#grid.map(name => `  .param .u64 ${name}`),
    ]
    return [
      `.visible .entry ${symbol}(`,
      ...params.map((line, i) => (i < params.length - 1 ? `${line},` : line)),
      ')',
      ...(block === undefined ? [] : [`.maxntid ${block.threads}, 1, 1`]),
      ...(block?.perMultiprocessor === undefined ? [] : [`.minnctapersm ${block.perMultiprocessor}`]),
    ]
  }

  /** Loads the arguments that are used. */
  unpack(values: Values): void {
    for (const node of this.program.body.params) {
      if (node.op !== 'arg' || !this.live.uses.has(node)) continue
      const { index, name, type } = node.attrs
      if (type.kind === 'opaque') continue // its address is its parameter's name
      const param = `[${this.#params[index]!}]`
      if (type.kind === 'pointer') {
        const register = this.code.registers.one('b64', name)
        this.code.op('ld.param.u64', register, param)
        this.code.op('cvta.to.global.u64', register, register)
        this.#pointers.set(node, register)
      } else {
        const register = this.code.registers.one(kindOf(type.dtype), name)
        this.#scalar(type.dtype, param, register)
        values.set(node, { elements: [register] })
      }
    }
  }

  pointer(node: LaneNode): string {
    return this.#pointers.get(node)!
  }

  /** Floats are passed as f64, integers and bool as i64, whose low bytes come first. */
  #scalar(dtype: Dtype, param: string, dest: string): void {
    const { code } = this
    switch (dtype) {
      case 'f64':
      case 'i64':
        code.op('ld.param.b64', dest, param)
        return
      case 'i32':
        code.op('ld.param.b32', dest, param)
        return
      case 'i16':
      case 'i8':
      case 'u8':
        code.op(`ld.param.${dtype.replace('i', 's')}`, dest, param)
        return
      default: {
        const wide = code.temporary('b64')
        code.op('ld.param.b64', wide, param)
        convert(code, dtype === 'bool' ? 'i64' : 'f64', dtype, wide, dest)
      }
    }
  }

  programId(axis: 0 | 1 | 2): string {
    return this.#wide(`program_${axes[axis]}`, () => this.programId32(axis))
  }

  numPrograms(axis: 0 | 1 | 2): string {
    return this.#wide(`programs_${axes[axis]}`, () => this.numPrograms32(axis))
  }

  numPrograms32(axis: 0 | 1 | 2): string {
    return this.#once(`programs_${axes[axis]}32`, 'b32', `programs_${axes[axis]}`, dest =>
      this.code.op('ld.param.b32', dest, `[${this.#grid[axis]!}]`),
    )
  }

  /** The program's index along an axis as u32: the one-dimensional launch is divided by the grid's sizes. */
  programId32(axis: 0 | 1 | 2): string {
    const { code } = this
    const place = (): string => this.#once('program', 'b32', 'program', dest => code.op('mov.u32', dest, '%ctaid.x'))
    const over = (divided: string, axis: 0 | 1 | 2, hint: string): string => {
      const size = this.numPrograms32(axis)
      return this.#once(`${hint}32`, 'b32', hint, dest => code.op('div.u32', dest, divided, size))
    }
    const within = (divided: string, axis: 0 | 1): string => {
      const [size, hint] = [this.numPrograms32(axis), `program_${axes[axis]}`]
      return this.#once(`${hint}32`, 'b32', hint, dest => code.op('rem.u32', dest, divided, size))
    }
    if (this.#onlyX) return place()
    if (axis === 0) return within(place(), 0)
    const row = over(place(), 0, 'program_row')
    return axis === 1 ? within(row, 1) : over(row, 1, 'program_z')
  }

  #wide(key: string, narrow: () => string): string {
    const short = narrow()
    return this.#once(key, 'b64', key, dest => this.code.op('cvt.u64.u32', dest, short))
  }

  /** A register computed once, at the kernel's start. */
  #once(key: string, kind: 'b32' | 'b64', hint: string, write: (dest: string) => void): string {
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const register = this.code.registers.one(kind, hint)
    this.#known.set(key, register)
    this.code.once(() => write(register))
    return register
  }
}

const paramType = (type: ArgumentType): string =>
  type.kind === 'opaque' ? `.align ${type.layout.alignment} .b8` : '.u64'
const paramSize = (type: ArgumentType): string => (type.kind === 'opaque' ? `[${type.layout.bytes}]` : '')
