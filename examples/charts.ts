/** Pictures of a training as SVG: the loss, and which classes are taken for which. */

const ink = '#1f4e79'
const text = (x: number, y: number, label: string | number, anchor = 'middle'): string =>
  `<text x="${x}" y="${y}" text-anchor="${anchor}">${label}</text>`
const picture = (width: number, height: number, parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/>
${parts.join('\n')}
</svg>
`

/** A logarithmic curve of the loss of each step. */
export function lossCurve(losses: readonly number[]): string {
  const [width, height, margin] = [640, 320, 48]
  const logs = losses.map(loss => Math.log10(Math.max(loss, 1e-6)))
  const [low, high] = [Math.floor(Math.min(...logs)), Math.ceil(Math.max(...logs))]
  const x = (step: number): number => margin + ((width - 2 * margin) * step) / Math.max(1, losses.length - 1)
  const y = (log: number): number => height - margin - ((height - 2 * margin) * (log - low)) / Math.max(1, high - low)
  const decades = Array.from({ length: high - low + 1 }, (_, i) => low + i)
  const grid = decades.map(
    log =>
      `<path d="M${margin} ${y(log)}H${width - margin}" stroke="#ddd"/>${text(margin - 6, y(log) + 4, 10 ** log, 'end')}`,
  )
  const path = logs.map((log, step) => `${x(step).toFixed(1)} ${y(log).toFixed(1)}`).join('L')
  return picture(width, height, [
    ...grid,
    `<path d="M${path}" fill="none" stroke="${ink}"/>`,
    text(width / 2, height - 12, `step (of ${losses.length})`),
    text(width / 2, 24, 'cross entropy'),
  ])
}

/** `counts[answer][prediction]` as a shaded table. */
export function confusionMatrix(counts: readonly (readonly number[])[]): string {
  const [cell, margin] = [36, 48]
  const size = 2 * margin + cell * counts.length
  const largest = Math.max(...counts.flat())
  const cells = counts.flatMap((row, answer) =>
    row.map((count, prediction) => {
      const [left, top] = [margin + cell * prediction, margin + cell * answer]
      const shade = (Math.log1p(count) / Math.log1p(largest)).toFixed(3)
      const label = count === 0 ? '' : text(left + cell / 2, top + cell / 2 + 4, count)
      return `<rect x="${left}" y="${top}" width="${cell}" height="${cell}" fill="${ink}" fill-opacity="${shade}" stroke="#ddd"/><g fill="${Number(shade) > 0.6 ? 'white' : 'black'}">${label}</g>`
    }),
  )
  const names = counts.flatMap((_, digit) => [
    text(margin + cell * (digit + 0.5), margin - 8, digit),
    text(margin - 8, margin + cell * (digit + 0.5) + 4, digit, 'end'),
  ])
  return picture(size, size, [
    ...cells,
    ...names,
    text(size / 2, 20, 'predicted'),
    text(size / 2, size - 16, 'rows: true digits'),
  ])
}
