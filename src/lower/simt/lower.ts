/**
 * Tile programs for a block of GPU threads. The passes, in order:
 *
 *   decode-codes.ts   dots of 8-bit float codes keep their codes where tensor cores take those, else are dequantised
 *   narrow.ts         dots of widened 16-bit and 8-bit operands take the narrow operands
 *   small-m.ts        small-M GEMMs are computed transposed: instructions have fewer columns than rows
 *   warps.ts          number of warps per program instance
 *   facts.ts          known divisors and ranges of offsets, sizes and strides; access.ts: preferred layouts of accesses
 *   fixed-layouts.ts  layouts that dots and scans fix (dot-layouts.ts), and those that suit memory
 *   plan.ts           the layout of every tile (layout.ts): which thread holds which element
 *   dot-groups.ts     grouping of dots that share an operand
 *   emit.ts           code: memory.ts and bounds.ts, reduce.ts, scan.ts, dots.ts, exchange.ts, …
 *   shared-memory.ts  during emission: shared-memory allocation and barrier placement
 *
 * The launch contract is the one of ../cpu/lower.ts: if the kernel writes at least one of two views, their memory is either
 * disjoint or the same. Under it every program instance behaves as its tile program says.
 */
import { InternalError } from '../../base/errors.js'
import { verify } from '../../ir/verify.js'
import { type LaneProgram, laneDialect } from '../../lane/ir.js'
import type { LaunchFacts } from '../../target/launch.js'
import type { SimtTarget } from '../../target/simt.js'
import { printType, type TileProgram } from '../../tile/ir.js'
import { decodeCodes } from '../../tile/passes/decode-codes.js'
import { Context } from './context.js'
import { multipliesCodes } from './dot-layouts.js'
import { Emitter } from './emit.js'
import { Facts } from './facts.js'
import { laneBits } from './layout.js'
import { narrowDots } from './narrow.js'
import { LayoutPlan } from './plan.js'
import { OutOfShared } from './shared-memory.js'
import { transposeSmallM } from './small-m.js'
import { warpsOf } from './warps.js'

/**
 * The lane program that each thread of a block runs for one instance of a tile program, given the launch's guarantees.
 * Throws KernelError when the tiles do not fit the device's shared memory, VerifyError for a bug in the lowering.
 */
export function lowerSimt(program: TileProgram, target: SimtTarget, facts: LaunchFacts): LaneProgram {
  if (target.arch.warpSize !== 2 ** laneBits) throw new InternalError(`simt: warps of ${target.arch.warpSize} threads`)
  const narrow = transposeSmallM(narrowDots(decodeCodes(program, 'f16', dot => multipliesCodes(dot, target))))
  const warps = warpsOf(narrow)
  const known = new Facts(narrow, facts)
  const plan = new LayoutPlan(narrow, known, Math.log2(warps), target.arch)
  const context = emitInShared(limit => new Context(narrow, target, known, plan, limit))
  const body = context.lanes.builder.finish([], context.args)
  verify(laneDialect, body)
  return {
    name: program.name,
    args: context.signature(),
    body,
    block: {
      threads: target.arch.warpSize * warps,
      sharedBytes: context.shared.bytes,
      ...(context.perMultiprocessor === undefined ? {} : { perMultiprocessor: context.perMultiprocessor }),
    },
    comment: commentOf(program, warps),
  }
}

/** Limits on pipeline stages, tried in order until the kernel fits shared memory. */
const stageLimits = [8, 3, 2, 0]

/** Emits the program with as many pipeline stages as shared memory holds, trying fewer until it fits. */
function emitInShared(contextOf: (maxStages: number) => Context): Context {
  for (const limit of stageLimits) {
    const context = contextOf(limit)
    try {
      new Emitter(context).block(context.program.body)
      return context
    } catch (error) {
      if (!(error instanceof OutOfShared) || limit === stageLimits.at(-1)) throw error
    }
  }
  throw new InternalError('simt: no number of stages was tried')
}

function commentOf(program: TileProgram, warps: number): string[] {
  const params = program.params.map(
    ({ name, type }) => `${name}: ${type.kind === 'scalar' ? type.dtype : printType(type)}`,
  )
  return [`${program.name}(${params.join(', ')})`, `${warps} warps`]
}
