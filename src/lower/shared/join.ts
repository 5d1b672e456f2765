/**
 * Joins several launches into one kernel: the tiles of all launches are numbered consecutively, and each program instance finds
 * the launch that its tile number belongs to. A program that is launched more than once is in the joined kernel only once, and
 * takes the arguments of the launch whose tile it computes.
 *
 * On a GPU the joined kernel is persistent: about as many blocks as can be resident claim tiles from a counter in global
 * memory; each block prefetches its next claim while it works. On a CPU the pool's threads claim instances anyway. The
 * assignment of tiles to blocks does not affect results, because each tile is computed as it would be alone.
 */
import { InternalError } from '../../base/errors.js'
import { transplant } from '../../ir/transplant.js'
import { type LaneNode, type LaneProgram, laneDialect, pointer, value } from '../../lane/ir.js'
import { Lanes } from './lanes.js'

/** A launch; null stands for a grid size that is an argument. */
export interface Member {
  /** Index of its program. */
  readonly program: number
  readonly grid: readonly [number | null, number | null, number | null]
}

/** Shared memory per block used for claiming. */
export const claimBytes = 16

/**
 * One program for the tiles of all members, launched along x: on a CPU with one instance per tile, on a GPU with at most as
 * many blocks. Its arguments are the members' arguments in order, then the grid sizes that are null as i64, then, on a GPU, the
 * tile counter, an i32 that must be 0. Members with the same program must be adjacent.
 *
 * `preassigned`: the first `preassigned` blocks start with the tile of their own number, without claiming. null: there is a
 * block per tile, and no counter.
 */
export function joinPrograms(
  name: string,
  programs: readonly LaneProgram[],
  members: readonly Member[],
  preassigned: number | null,
): LaneProgram {
  const block = blockOf(programs)
  const claims = block !== undefined && preassigned !== null
  const join = new Join(programs, members, claims)
  const { lanes } = join
  if (claims) join.claimTiles(block.sharedBytes, preassigned)
  else join.tile(lanes.cast(join.place(), 'i32'))
  const body = lanes.builder.finish([], join.nodes)
  const comment = [
    `${name}: ${members.length} launches of ${programs.length} programs`,
    ...programs.flatMap(p => p.comment),
  ]
  const joined: LaneProgram = { name, args: join.args, body, comment }
  if (block === undefined) return joined
  return { ...joined, block: claims ? { ...block, sharedBytes: block.sharedBytes + claimBytes } : block }
}

/** A program that resets the tile counter to 0. */
export function resetProgram(name: string): LaneProgram {
  const lanes = new Lanes()
  const counter = lanes.builder.node('arg', [], { index: 0, name: 'counter', type: pointer('i32') })
  const isFirst = lanes.map('eq', lanes.builder.node('threadId', [], {}), lanes.constant('i32', 0))
  const store = (): readonly LaneNode[] => {
    lanes.store(counter, lanes.constant('i32', 0), lanes.constant('i32', 0))
    return []
  }
  lanes.branch(isFirst, '', store, () => [])
  return {
    name,
    args: [{ name: 'counter', type: pointer('i32') }],
    body: lanes.builder.finish([], [counter]),
    block: { threads: 32, sharedBytes: 0 },
    comment: [],
  }
}

/** Block size of the joined program: the thread count (equal in all programs), and the maximum of shared memory. */
function blockOf(programs: readonly LaneProgram[]): LaneProgram['block'] {
  const blocks = programs.map(({ block }) => block)
  const [first] = blocks
  if (first === undefined) return undefined
  if (blocks.some(block => block?.threads !== first.threads)) {
    throw new InternalError(`join: blocks of ${blocks.map(block => block?.threads).join(', ')} threads`)
  }
  const most = Math.max(...blocks.map(block => block!.sharedBytes))
  const shared = { threads: first.threads, sharedBytes: Math.ceil(most / claimBytes) * claimBytes }
  const beside = blocks.map(block => block!.perMultiprocessor)
  return beside.every(count => count !== undefined) ? { ...shared, perMultiprocessor: Math.min(...beside) } : shared
}

/** Consecutive members with one program. */
interface Run {
  readonly program: number
  readonly first: number
  count: number
}

type Arg = LaneProgram['args'][number]

class Join {
  readonly lanes = new Lanes()
  readonly args: Arg[] = []
  readonly nodes: LaneNode[] = []
  /** Per member: its arguments, and its grid sizes. */
  readonly #given: readonly (readonly LaneNode[])[]
  readonly #grids: readonly (readonly LaneNode[])[]
  /** The first tile number of each member, then the total. */
  readonly #starts: readonly LaneNode[]
  readonly #counter: LaneNode | null

  constructor(
    readonly programs: readonly LaneProgram[],
    readonly members: readonly Member[],
    claims: boolean,
  ) {
    const { lanes } = this
    this.#given = members.map(({ program }, i) =>
      programs[program]!.args.map(({ name, type }) => this.#arg(`${name}_${i}`, type)),
    )
    this.#grids = members.map(({ grid }, i) =>
      grid.map((size, axis) =>
        size === null
          ? lanes.cast(this.#arg(`tiles_${i}_${'xyz'[axis]}`, value('i64')), 'i32')
          : lanes.constant('i32', size),
      ),
    )
    this.#counter = claims ? this.#arg('counter', pointer('i32')) : null
    const starts = [lanes.constant('i32', 0)]
    for (const [x, y, z] of this.#grids as readonly (readonly [LaneNode, LaneNode, LaneNode])[]) {
      starts.push(lanes.add(starts.at(-1)!, lanes.mul(lanes.mul(x, y), z)))
    }
    this.#starts = starts
  }

  #arg(name: string, type: Arg['type']): LaneNode {
    const node = this.lanes.builder.node('arg', [], { index: this.args.length, name, type })
    this.args.push({ name, type })
    this.nodes.push(node)
    return node
  }

  place(): LaneNode {
    return this.lanes.builder.node('programId', [], { axis: 0 })
  }

  // --- one tile ----------------------------------------------------------------------------------------------------

  /** Computes tile `tile`, an i32. */
  tile(tile: LaneNode): void {
    const { lanes } = this
    const later = this.#starts.slice(1, -1).map(start => lanes.cast(lanes.map('ge', tile, start), 'i32'))
    const member = later.reduce((sum, each) => lanes.add(sum, each), lanes.constant('i32', 0))
    this.#choose(tile, member, this.#runs())
  }

  #runs(): Run[] {
    const runs: Run[] = []
    for (const [i, { program }] of this.members.entries()) {
      if (runs.at(-1)?.program === program) runs.at(-1)!.count++
      else runs.push({ program, first: i, count: 1 })
    }
    return runs
  }

  /** Branches on the member that owns a tile; members with the same program share one body. */
  #choose(tile: LaneNode, member: LaneNode, [run, ...others]: readonly Run[]): void {
    const { lanes } = this
    const { program, first, count } = run!
    const body = (): readonly LaneNode[] => {
      this.#body(tile, lanes.sub(member, lanes.constant('i32', first)), program, first, count)
      return []
    }
    if (others.length === 0) {
      body()
      return
    }
    const isOwn = lanes.map('lt', member, lanes.constant('i32', first + count))
    lanes.branch(isOwn, `tiles of ${this.programs[program]!.name}`, body, () => {
      this.#choose(tile, member, others)
      return []
    })
  }

  /** Emits a program's body for one tile, with the arguments and the grid of the member that it belongs to. */
  #body(tile: LaneNode, which: LaneNode, program: number, first: number, count: number): void {
    const { lanes } = this
    const { body } = this.programs[program]!
    const pick = (of: (member: number) => LaneNode): LaneNode =>
      this.#pick(
        which,
        Array.from({ length: count }, (_, i) => of(first + i)),
      )
    const sizes = [0, 1, 2].map(axis => pick(member => this.#grids[member]![axis]!)) as [LaneNode, LaneNode, LaneNode]
    const own = lanes.sub(
      tile,
      pick(member => this.#starts[member]!),
    )
    const places = this.#places(own, sizes)
    transplant(laneDialect, lanes.builder, body, node => {
      if (node.op === 'arg') return pick(member => this.#given[member]![node.attrs.index]!)
      if (node.op === 'programId') return places[node.attrs.axis]
      return node.op === 'numPrograms' ? lanes.cast(sizes[node.attrs.axis], 'i64') : null
    })
  }

  /** The grid coordinates of a tile, x fastest. */
  #places(tile: LaneNode, [x, y, z]: readonly [LaneNode, LaneNode, LaneNode]): readonly [LaneNode, LaneNode, LaneNode] {
    const { lanes } = this
    const isOne = (size: LaneNode): boolean => size.op === 'const' && size.attrs.value === 1
    const zero = lanes.constant('i32', 0)
    const wide = (node: LaneNode): LaneNode => lanes.cast(node, 'i64')
    if (isOne(y) && isOne(z)) return [wide(tile), wide(zero), wide(zero)]
    const row = isOne(x) ? tile : lanes.map('floorDiv', tile, x)
    const column = isOne(x) ? zero : lanes.map('mod', tile, x)
    if (isOne(z)) return [wide(column), wide(row), wide(zero)]
    return [wide(column), wide(lanes.map('mod', row, y)), wide(lanes.map('floorDiv', row, y))]
  }

  #pick(which: LaneNode, options: readonly LaneNode[]): LaneNode {
    const { lanes } = this
    const [first, ...others] = options as readonly [LaneNode, ...LaneNode[]]
    if (others.every(option => option === first)) return first
    if (first.type.kind === 'pointer') return lanes.builder.node('pick', [which, ...options], {})
    const isThis = (i: number): LaneNode => lanes.map('eq', which, lanes.constant('i32', i))
    return others.reduce((before, option, i) => lanes.select(isThis(i + 1), option, before), first)
  }

  // --- claiming ------------------------------------------------------------------------------------------------------

  /** Processes tiles until none are left. `shared`: the first byte of shared memory that no tile uses. */
  claimTiles(shared: number, preassigned: number): void {
    const { lanes } = this
    // Two slots alternate: one is read while the next claim is written to the other.
    const claimed = lanes.builder.node('shared', [], { dtype: 'i32', count: 2, offset: shared, name: 'claimed' })
    const [zero, one] = [lanes.constant('i32', 0), lanes.constant('i32', 1)]
    const place = lanes.cast(this.place(), 'i32')
    const [first] = lanes.branch(
      lanes.map('lt', place, lanes.constant('i32', preassigned)),
      'first tile',
      () => [place],
      () => {
        this.#claim(claimed, one, preassigned)
        return [this.#claimedTile(claimed, one)]
      },
    ) as readonly [LaneNode]
    const carried = (): LaneNode[] => [lanes.param('i32', 1, 'tile'), lanes.param('i32', 1, 'turn')]
    const [tests, turns] = [carried(), carried()] as [[LaneNode, LaneNode], [LaneNode, LaneNode]]
    const test = lanes.builder.block(tests, () => [lanes.map('lt', tests[0], this.#starts.at(-1)!)])
    const work = lanes.builder.block(turns, () => {
      const [tile, turn] = turns
      this.#claim(claimed, turn, preassigned)
      this.tile(tile)
      return [this.#claimedTile(claimed, turn), lanes.sub(one, turn)]
    })
    lanes.builder.node('while', [first, zero], { comment: 'tiles', long: true }, [test, work])
  }

  /** One thread claims a tile for the block. */
  #claim(claimed: LaneNode, turn: LaneNode, preassigned: number): void {
    const { lanes } = this
    const isFirst = lanes.map('eq', lanes.builder.node('threadId', [], {}), lanes.constant('i32', 0))
    lanes.branch(
      isFirst,
      'claim a tile',
      () => {
        const operands = [this.#counter!, lanes.constant('i32', 0), lanes.constant('i32', 1)]
        const count = lanes.builder.node('atomic', operands, { fn: 'add' })
        lanes.store(claimed, turn, lanes.add(count, lanes.constant('i32', preassigned)))
        return []
      },
      () => [],
    )
  }

  /** The claimed tile. Its barrier also ensures that all threads have finished the previous tile. */
  #claimedTile(claimed: LaneNode, turn: LaneNode): LaneNode {
    this.lanes.builder.node('barrier', [], { scope: 'block' })
    return this.lanes.load(claimed, turn, 1)
  }
}
