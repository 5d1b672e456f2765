/** Parallel moves: ordered so that no move overwrites a register that a later one reads. */
import type { Code } from './code.js'
import type { RegisterKind } from './registers.js'

export interface Move {
  readonly to: string
  readonly from: string
  readonly kind: RegisterKind
}

/** Emits the moves. A cycle (a swap) is broken by a temporary. */
export function moveAll(code: Code, moves: readonly Move[]): void {
  const pending = new Map(moves.filter(({ to, from }) => to !== from).map(move => [move.to, { ...move }]))
  /** Number of pending moves that read each register. */
  const readers = new Map<string, number>()
  const count = (register: string, by: number): number => {
    const next = (readers.get(register) ?? 0) + by
    readers.set(register, next)
    return next
  }
  for (const { from } of pending.values()) count(from, 1)
  const ready = [...pending.values()].filter(({ to }) => (readers.get(to) ?? 0) === 0)
  const run = (): void => {
    for (let move = ready.pop(); move !== undefined; move = ready.pop()) {
      code.op(`mov.${move.kind}`, move.to, move.from)
      pending.delete(move.to)
      if (count(move.from, -1) > 0) continue
      const freed = pending.get(move.from)
      if (freed !== undefined) ready.push(freed)
    }
  }
  ready.reverse()
  run()
  for (const move of [...pending.values()]) {
    if (!pending.has(move.to)) continue
    // A cycle of moves: the value about to be overwritten is first copied to a temporary, which the last move reads.
    const kept = code.temporary(move.kind)
    code.op(`mov.${move.kind}`, kept, move.to)
    for (const other of pending.values()) if (other.from === move.to) other.from = kept
    readers.set(move.to, 0)
    readers.set(kept, 1)
    ready.push(move)
    run()
  }
}
