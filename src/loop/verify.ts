/** Rules of loop programs beyond the engine's verifier: coordinates are the program's loops, and statements are in order. */
import { VerifyError } from '../base/errors.js'
import { verify } from '../ir/verify.js'
import { nodesOf } from '../ir/walk.js'
import {
  coordsOf,
  type LoopNode,
  type LoopProgram,
  loopDialect,
  type StoreNode,
  type TemplateNode,
  type UpdateNode,
} from './ir.js'

/** Throws VerifyError naming the node when the program breaks a rule of the loop dialect. */
export function verifyLoops(program: LoopProgram): void {
  const { coords, reduced, body } = program
  verify<LoopNode>(loopDialect, body)
  if ([...reduced].some(coord => !coords.has(coord))) throw new VerifyError('loop: a reduced coordinate is no loop')
  for (const node of nodesOf<LoopNode>(body)) checkNode(node, program)
  checkOrder(body.body)
}

function checkNode(node: LoopNode, { coords, reduced }: LoopProgram): void {
  const isStored = node.op === 'store' || node.op === 'update'
  const used = isStored ? storedCoords(node) : node.type.kind === 'value' ? coordsOf(node) : []
  for (const coord of used) if (!coords.has(coord)) fail(node, `depends on c${coord}, which is no loop`)
  const folded = foldedCoords(node)
  if (folded.some(coord => !reduced.has(coord))) fail(node, 'folds a coordinate that is not reduced')
  if (node.op === 'reduce' && folded.length !== reduced.size) fail(node, 'folds some of the reduced coordinates only')
}

const storedCoords = ({ inputs, attrs }: StoreNode | UpdateNode): Set<number> =>
  new Set([...inputs.flatMap(input => [...coordsOf(input)]), ...attrs.access.index.terms.keys()])

/** The coordinates that a node iterates over itself: those of its operands that its result does not have, or of its rows. */
function foldedCoords({ op, inputs, type, attrs }: LoopNode): readonly number[] {
  if (op === 'reduce') return attrs.over
  // It is computed along with its template, and reduces nothing.
  if (op === 'result') return []
  const row = op === 'template' && attrs.row !== null ? [attrs.row] : []
  if (type.kind === 'nothing') return row
  return [...row, ...inputs.flatMap(input => [...coordsOf(input)]).filter(coord => !type.coords.has(coord))]
}

/** One template (or several that share a loop), before everything that is stored. */
function checkOrder(statements: readonly LoopNode[]): void {
  const templates = statements.filter(node => node.op === 'template')
  const nameOf = ({ attrs }: TemplateNode): string => attrs.primitive.name
  const [first, ...more] = templates
  const other = more.find(node => node.attrs.row !== null || nameOf(node) !== nameOf(first!))
  if (other !== undefined) fail(other, `stands in one program with ${nameOf(first!)}`)
  const late = templates.find((node, i) => statements[i] !== node)
  if (late !== undefined) fail(late, 'comes after a store')
}

function fail(node: LoopNode, problem: string): never {
  throw new VerifyError(`loop: ${node.op} (node ${node.id}) ${problem}`, { at: node.origin.at })
}
