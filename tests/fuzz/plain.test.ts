/** What the plain evaluator says at the edges of shapes, where it was wrong once: PyTorch's answers, and eager's. */
import { expect, it } from 'vitest'
import * as tegula from '../../src/index.js'
import { plain } from './plain/index.js'

type Api = Pick<typeof tegula, 'cat' | 'stack' | 'where' | 'zeros' | 'tensor' | 'linear'>
type Tensor = tegula.Tensor

/** dtype and shape of what a program gives, or the name of its error. */
function seen(program: (api: Api) => Tensor | readonly Tensor[] | number, api: Api): string {
  try {
    const all = [program(api)].flat() as (Tensor | number)[]
    return all.map(one => (typeof one === 'number' ? one : `${one.dtype}[${one.shape.join(', ')}]`)).join(' and ')
  } catch (error) {
    return (error as Error).name
  }
}

const point = ({ tensor }: Api): Tensor => tensor(3)
const gone = ({ tensor }: Api): Tensor => {
  const made = tensor([[1, 2]])
  made.dispose()
  return made
}

const programs: readonly (readonly [(api: Api) => Tensor | readonly Tensor[] | number, string])[] = [
  // A tensor of shape [0] is left out of cat, but for its dtype.
  [({ cat, zeros }) => cat([zeros([0]), zeros([2, 3])]), 'f32[2, 3]'],
  [({ cat, zeros }) => cat([zeros([0]), zeros([2, 3]), zeros([0])], 1), 'f32[2, 3]'],
  [({ cat, zeros }) => cat([zeros([0]), zeros([2, 2], { dtype: 'i32' })]), 'f32[2, 2]'],
  [({ cat, zeros }) => cat([zeros([0]), zeros([0])]), 'f32[0]'],
  [({ cat, zeros }) => cat([zeros([0]), zeros([0])], 1), 'ShapeError'],
  [({ cat, zeros }) => cat([zeros([0, 2]), zeros([2, 3])]), 'ShapeError'],
  [api => api.cat([api.zeros([0]), point(api)]), 'ShapeError'],
  [({ stack, zeros }) => stack([zeros([0]), zeros([2, 3])]), 'ShapeError'],
  // A tensor without dims: most ops take dim 0 of it, but it has no parts.
  [api => point(api).unbind(0), 'ShapeError'],
  [api => point(api).split(1, 0), 'ShapeError'],
  [api => point(api).chunk(2, 0), 'ShapeError'],
  [api => point(api).size(0), 'ArgumentError'],
  [api => point(api).unfold(0, 1, 1), 'ShapeError'],
  [api => point(api).pad([1, 1]), 'ShapeError'],
  [api => point(api).sum(0), 'f32[]'],
  [api => point(api).amax(-1), 'f32[]'],
  [api => point(api).argmax(0), 'i64[]'],
  [api => point(api).mean(0), 'f32[]'],
  [api => point(api).softmax(-1), 'f32[]'],
  [api => point(api).sum([0, -1]), 'ShapeError'],
  // Functions mind what was disposed like methods.
  [api => api.cat([gone(api)]), 'DisposedError'],
  [api => api.stack([gone(api)]), 'DisposedError'],
  [api => api.where(gone(api), 1, 2), 'DisposedError'],
  [api => api.linear(api.zeros([1, 2]), gone(api)), 'DisposedError'],
]

it.each(programs)('%s: %s', (program, wanted) => {
  expect(seen(program, tegula)).toBe(wanted)
  expect(seen(program, plain as unknown as Api)).toBe(wanted)
})
