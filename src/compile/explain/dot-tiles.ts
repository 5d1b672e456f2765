/** The tiles of a plan's matmuls in one line each: `matmul 128×128×64, 8 warps`. */
import { nodesOf } from '../../ir/walk.js'
import { everyLaunch } from '../../schedule/plan/plan.js'
import { type TileNode, type TileProgram, tileType } from '../../tile/ir.js'
import type { Stages } from '../pipeline.js'

/** One text per distinct tile, in the order of the launches: M×N×K of a program instance's dots, and its warps on a GPU. */
export function dotTiles({ plan, lanes, target }: Pick<Stages, 'plan' | 'lanes' | 'target'>): string[] {
  const texts = everyLaunch(plan).flatMap(({ kernel, ops }) => {
    const [tile] = dotShapes(plan.kernels[kernel]!)
    if (tile === undefined) return []
    const { warps } = target.resourcesOf(lanes[kernel]!)
    const name = ops.some(op => /attention/i.test(op)) ? 'attention' : 'matmul'
    return [`${name} ${tile.join('×')}${warps === 0 ? '' : `, ${warps} warps`}`]
  })
  return [...new Set(texts)]
}

/** [M, N, K] of each dot of a program instance. */
export function dotShapes({ body }: TileProgram): readonly (readonly [number, number, number])[] {
  return [...nodesOf<TileNode>(body)].flatMap(node => {
    if (node.op !== 'dot') return []
    const [a, b] = node.inputs as readonly [TileNode, TileNode]
    const [m, k] = tileType(a).shape as readonly [number, number]
    return [[m, tileType(b).shape[1]!, k] as const]
  })
}
