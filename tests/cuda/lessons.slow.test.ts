/** The GPU's side of the lessons, at sizes that an interpreter of PTX can take: each way runs, its numbers are checked, and no row is missing. */
import type { ProfileRow } from 'tegula/profile'
import { describe, expect, it } from 'vitest'
import { attention } from '../../examples/lessons/attention.js'
import { graphs } from '../../examples/lessons/graphs.js'
import type { LessonOptions, Section } from '../../examples/lessons/lesson.js'
import { precision } from '../../examples/lessons/precision.js'
import { needsGpuOrStandIn, openGpu } from './support.js'

const gpu = openGpu()
const options: LessonOptions = { device: 'cuda', quick: true, peak: false }

async function sectionsOf(run: (write: (section: Section) => void) => Promise<void>): Promise<Section[]> {
  const sections: Section[] = []
  await run(section => sections.push(section))
  return sections
}

/** First cells of a table's CSV. */
const rowsOf = ({ table }: Section): string[] =>
  table
    .toCsv()
    .trim()
    .split('\n')
    .slice(1)
    .map(line => (line.startsWith('"') ? line.slice(1).split('"')[0]! : line.split(',')[0]!))

describe.skipIf(gpu === null)(`lessons on a GPU (${needsGpuOrStandIn})`, () => {
  it('attention: four ways in f16, and the kernels of each on the GPU’s clock', { timeout: 600_000 }, async () => {
    const [all, ...profiles] = await sectionsOf(write => attention(options, write, [1, 2, 32, 16]))
    expect(all!.title).toContain('1×2×32×16 f16')
    expect(rowsOf(all!)).toEqual(['naive, eager', 'naive, compiled, weights returned', 'naive, compiled', 'fused'])
    expect(all!.notes[0]).toContain('The scores are 4.0 KiB; inputs and result 8.0 KiB.')
    expect(profiles).toHaveLength(4)
    for (const { table } of profiles) {
      const kernels = table.toJSON() as readonly ProfileRow[]
      expect(kernels.length).toBeGreaterThan(0)
      for (const { selfDevice, name } of kernels) expect(selfDevice, name).toBeGreaterThan(0)
    }
  })

  it('graphs: a captured graph and reduce-overhead too', { timeout: 600_000 }, async () => {
    const sections = await sectionsOf(write => graphs(options, write, [1, 3]))
    expect(sections.map(({ title }) => title)).toEqual([
      'Time of a call, on the host',
      'Time of a call, on the GPU',
      'What a kernel costs',
    ])
    expect(sections[0]!.notes).toEqual([])
    expect(rowsOf(sections[2]!)).toEqual(['eager', 'compiled', 'reduce-overhead', 'captured graph'])
  })

  it('precision: tf32 too, each within its own tolerance of float64', { timeout: 600_000 }, async () => {
    const [section] = await sectionsOf(write => precision(options, write, 32, [1, 16]))
    expect(rowsOf(section!)).toEqual(['f32', 'tf32', 'bf16', 'fp8', 'mxint8', 'nvfp4'])
    expect(section!.notes.join()).not.toContain('left out')
  })
})
