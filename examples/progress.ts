/** Lines that tell how far a training is. */

/** Twenty squares, of which `part` (0 to 1) are full. */
export const bar = (part: number): string => '█'.repeat(Math.round(20 * part)).padEnd(20, '░')

/** Overwrites the line in a terminal; elsewhere prints only what is final. */
export function progress(line: string, isFinal: boolean): void {
  if (process.stdout.isTTY) process.stdout.write(`\r${line}\x1b[K${isFinal ? '\n' : ''}`)
  else if (isFinal) console.log(line)
}
