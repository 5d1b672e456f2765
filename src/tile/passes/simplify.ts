/**
 * The pass `simplify`: constant folding, simpler index arithmetic, constant sizes, merged shape changes, removal of dead reads
 * and loops; equal subexpressions are one node already (interning). Requires a verified program and returns a verified program
 * with bitwise equal results (−0 and NaN included).
 */
import { type RewriteStats, rewrite } from '../../ir/rewrite.js'
import { type TileProgram, tileDialect } from '../ir.js'
import { integerRules } from './integer-rules.js'
import { BoundsTable } from './ranges.js'
import { shapeRules } from './shape-rules.js'
import { valueRules } from './value-rules.js'

/** The simplified program. */
export function simplify(program: TileProgram): TileProgram {
  return simplifyWithStats(program).program
}

/** The simplified program, and how often each rule fired. */
export function simplifyWithStats(program: TileProgram): {
  readonly program: TileProgram
  readonly stats: RewriteStats
} {
  const rules = [...shapeRules, ...valueRules, ...integerRules(new BoundsTable())]
  const { root, stats } = rewrite(tileDialect, program.body, rules, 'simplify')
  return { program: { ...program, body: root }, stats }
}
