/**
 * Random programs on tensors, as data: inputs and a list of op calls. They can be built into a graph, run on tensors,
 * printed and shrunk. Values stay finite and of moderate size, and discontinuous ops (comparisons, floor, argmax, sort) only
 * get values that every implementation computes exactly, so that two correct implementations agree up to rounding.
 */
import { ProgramMaker, pickMaker } from './random-makers.js'
import { operandsOf, type RandomOptions, type RandomProgram, withoutDead } from './random-program.js'

export * from './random-program.js'

/** A random program: the same for the same seed and options. */
export function randomProgram(seed: number, options: RandomOptions = {}): RandomProgram {
  const m = new ProgramMaker(seed, options)
  const inputs = options.inputs ?? 1 + m.below(4)
  const shapes: number[][] = []
  for (let i = 0; i < inputs; i++) {
    // Related shapes, so that tensors can be combined: equal, with a dim of 1, or the last dims of an earlier one.
    const before = shapes.length > 0 && m.chance(0.7) ? m.pick(shapes) : m.shape()
    const shape = m.chance(0.3)
      ? before.slice(m.below(Math.max(1, before.length)))
      : before.map(size => (m.chance(0.15) ? 1 : size))
    shapes.push(shape)
    const float = m.pick(options.floats ?? (['f32', 'f32', 'f32', 'f32', 'f64', 'f16'] as const))
    m.addInput(m.chance(0.15) ? m.pick(['i32', 'i64', 'u8', 'bool'] as const) : float, shape)
  }
  const wanted = options.ops ?? 1 + m.below(12)
  for (let tries = 0; m.ops.length < wanted && tries < 20 * wanted; tries++) {
    const choice = pickMaker(m)(m)
    if (choice !== null) m.tryAdd(choice)
  }
  const used = new Set(m.ops.flatMap(op => operandsOf(op.args)))
  const unused = m.ops.filter(op => !used.has(op.id)).map(op => op.id)
  const extra = m.ops.length > 0 && m.chance(0.2) ? [m.pick(m.ops).id] : []
  const outputs = [...new Set([...unused, ...extra])]
  return withoutDead({ seed, inputs: m.inputs, ops: m.ops, outputs: outputs.length > 0 ? outputs : [m.inputs[0]!.id] })
}
