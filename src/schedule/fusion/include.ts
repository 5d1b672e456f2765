/** Members of groups: what a kernel that computes a node needs of its inputs. */
import { type GraphNode, isView } from '../../graph/ir.js'
import type { CoordSplit, IndexMap } from '../groups/affine.js'
import { type Group, keepWhole, mapsOf, type Need, sizesIn, splitCoord, touch } from '../groups/group.js'
import { viewInputMap } from '../groups/layout.js'
import { loopValue } from '../groups/values.js'

/** The group with a node as a member, so that its inputs are needed. Null when their indices are not affine. */
export function include(group: Group, node: GraphNode): Group | null {
  const maps = mapsOf(group, node)
  const needs: Need[] = []
  for (const map of maps) {
    const own = needsOf(group, node, map)
    if (own !== null && 'coord' in own) {
      const refined = splitCoord(group, own)
      return refined && include(refined, node)
    }
    if (own === null) return null
    needs.push(...own)
  }
  const touched = touch(group, needs, group.touched.get(node)!.phases)
  const whole = isView(node) ? [] : maps.flatMap(map => [...(loopValue(node).whole?.(node, map) ?? [])])
  return keepWhole({ ...touched, members: new Set(group.members).add(node) }, whole)
}

/** Where a node needs its inputs; or a split of a coordinate without which their indices are not affine, or null. */
function needsOf(group: Group, node: GraphNode, map: IndexMap): readonly Need[] | CoordSplit | null {
  if (!isView(node)) return loopValue(node).needs(node, map, group)
  const input = viewInputMap(node, map, sizesIn(group))
  return input !== null && 'split' in input ? input.split : input && [{ node: node.inputs[0]!, map: input.map }]
}
