/** The random state of a draw: the seed and the offset of the numbers that it uses. */
import { describeAny } from '../base/describe.js'
import { ArgumentError } from '../base/errors.js'
import type { Size } from '../scalar/size.js'
import { defaultGenerator, Generator } from './generator.js'
import type { Tensor } from './tensor-type.js'
import { currentTracer } from './tracer.js'

/** The given generator, or the process's. Throws ArgumentError for anything else. */
export function requireGenerator(callee: string, generator: object | null): Generator {
  if (generator === null) return defaultGenerator
  if (generator instanceof Generator) return generator
  throw new ArgumentError(`${callee}: generator is ${describeAny(generator)}`, { fix: 'pass new Generator(seed)' })
}

/** The seed and the offset of so many draws, by which the generator advances; in a capture those of each call. */
export function drawnState(
  callee: string,
  count: Size,
  given: object | null,
): readonly [seed: Tensor | bigint, offset: Tensor | bigint] {
  const generator = requireGenerator(callee, given)
  const tracer = currentTracer()
  if (tracer !== null) return tracer.randomState(generator, count)
  const { seed, offset } = generator.take(Number(count))
  return [seed, offset]
}
