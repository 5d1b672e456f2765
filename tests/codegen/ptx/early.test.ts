/** Kernels that may be started while the one before them ends: all threads wait before any touches memory. */
import { describe, expect, it } from 'vitest'
import { emitPtx } from '../../../src/codegen/ptx/emit.js'
import { cudaArchs, genericCudaTarget } from '../../../src/target/cuda.js'
import { laneProgram, pointer, value } from '../../lane/build.js'
import { assemble, noAssembler } from './assemble.js'

const program = laneProgram('axpy', { x: pointer('f32'), y: pointer('f32'), a: value('f32') }, (b, { x, y, a }) => {
  const i = b.programId()
  b.store(y, i, b.map('add', b.map('mul', b.load(x, i), a), b.load(y, i)))
})
const lines = (text: string): string[] => text.split('\n').map(line => line.trim())

describe('programmatic dependent launch', () => {
  it('waits after loading parameters and before accessing memory, on targets that have it', () => {
    const text = emitPtx([program, { ...program, name: 'second' }], genericCudaTarget(cudaArchs.sm_90a), {
      early: true,
    })
    for (const entry of text.split('.visible .entry').slice(1)) {
      const body = lines(entry)
      const wait = body.indexOf('griddepcontrol.wait;')
      expect(body.indexOf('griddepcontrol.launch_dependents;')).toBe(wait - 1)
      const touches = body.flatMap((line, i) => (/\b(ld|st|atom|red|cp)\.(async|global|shared)/.test(line) ? [i] : []))
      const branches = body.flatMap((line, i) => (/\bbra\b|^ret;|^\$/.test(line) ? [i] : []))
      expect(touches.length).toBeGreaterThan(1)
      expect(Math.min(...touches, ...branches)).toBeGreaterThan(wait)
    }
    if (noAssembler === null) assemble(text, cudaArchs.sm_90a)
  })

  it('is omitted on other targets, and unless requested', () => {
    const [old, recent] = [cudaArchs.sm_80, cudaArchs.sm_90a].map(genericCudaTarget)
    expect(emitPtx([program], old!, { early: true })).toBe(emitPtx([program], old!))
    expect(emitPtx([program], recent!)).not.toContain('griddepcontrol')
  })
})
