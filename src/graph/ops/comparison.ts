/** Comparison, logic, bits, and the tests of floats. */
import { binary, unary } from './elementwise.js'

const compare = (
  name: 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge',
  sign: string,
  holds: (x: number | bigint, y: number | bigint) => boolean,
) =>
  binary(name, `self ${sign} other, as bool.`, {
    takes: 'any',
    gives: 'bool',
    build: name,
    float: holds,
    integer: holds,
    gradient: 'none',
  })

const testFloat = (name: 'isnan' | 'isinf' | 'isfinite', summary: string, float: (x: number) => boolean) =>
  unary(name, summary, { takes: 'float', gives: 'bool', onIntegers: float(0), build: name, float, gradient: 'none' })

const logical = (name: string, sign: string, build: 'and' | 'or' | 'xor', holds: (x: boolean, y: boolean) => boolean) =>
  binary(name, `self ${sign} other on truth values (anything but 0 is true).`, {
    takes: 'truth',
    gives: 'bool',
    build,
    integer: (x, y) => holds(x !== 0n, y !== 0n),
    gradient: 'none',
  })

const bitwise = (name: string, sign: string, build: 'and' | 'or' | 'xor', integer: (x: bigint, y: bigint) => bigint) =>
  binary(name, `self ${sign} other, bit by bit; on bool, logically.`, {
    takes: 'bits',
    build,
    integer,
    gradient: 'none',
  })

export const comparisonRecords = {
  eq: compare('eq', '=', (x, y) => x === y),
  ne: compare('ne', '≠', (x, y) => x !== y),
  lt: compare('lt', '<', (x, y) => x < y),
  le: compare('le', '≤', (x, y) => x <= y),
  gt: compare('gt', '>', (x, y) => x > y),
  ge: compare('ge', '≥', (x, y) => x >= y),
  logicalAnd: logical('logicalAnd', 'and', 'and', (x, y) => x && y),
  logicalOr: logical('logicalOr', 'or', 'or', (x, y) => x || y),
  logicalXor: logical('logicalXor', 'exclusive or', 'xor', (x, y) => x !== y),
  logicalNot: unary('logicalNot', 'True where self is 0.', {
    takes: 'truth',
    gives: 'bool',
    build: 'not',
    integer: x => x === 0n,
    gradient: 'none',
  }),
  bitwiseAnd: bitwise('bitwiseAnd', 'and', 'and', (x, y) => x & y),
  bitwiseOr: bitwise('bitwiseOr', 'or', 'or', (x, y) => x | y),
  bitwiseXor: bitwise('bitwiseXor', 'exclusive or', 'xor', (x, y) => x ^ y),
  bitwiseNot: unary('bitwiseNot', 'Every bit of self inverted; on bool, logical not.', {
    takes: 'bits',
    build: 'not',
    integer: x => ~x,
    gradient: 'none',
  }),
  bitwiseLeftShift: binary('bitwiseLeftShift', 'self · 2^other; bits shifted out are lost.', {
    takes: 'integer',
    build: 'shl',
    integer: (x, y) => (y < 0n || y > 63n ? 0n : x << y),
    gradient: 'none',
  }),
  bitwiseRightShift: binary('bitwiseRightShift', '⌊self / 2^other⌋.', {
    takes: 'integer',
    build: 'shr',
    integer: (x, y) => (y < 0n || y > 63n ? (x < 0n ? -1n : 0n) : x >> y),
    gradient: 'none',
  }),
  isnan: testFloat('isnan', 'True where self is NaN.', x => !(x >= 0 || x <= 0)),
  isinf: testFloat('isinf', 'True where self is infinite.', x => x === 1 / 0 || x === -1 / 0),
  isfinite: testFloat('isfinite', 'True where self is neither infinite nor NaN.', x => Math.abs(x) < 1 / 0),
}
