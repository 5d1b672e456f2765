/**
 * Every class of mistake that people make, as they would make it. The line of each carries its name in a comment
 * `mistake: …`, so that the test knows which line the error must name.
 */
import { cat, compile, exportCompiled, loadCompiled, type Tensor, tensor, where, zeros } from '../../src/index.js'
import { f32, i32, kernel, view } from '../../src/kernel.js'

export interface Mistake {
  readonly kind: string
  readonly what: RegExp
  readonly fix: RegExp
  /** The mistake also happens inside of a compiled function, with the same words. */
  readonly inside?: boolean
  readonly make: () => unknown
}

const any = (value: unknown): never => value as never

/** On tensors: the same words eagerly and compiled. */
const onTensors: Readonly<Record<string, Omit<Mistake, 'inside'>>> = {
  'shapes that do not broadcast': {
    kind: 'ShapeError',
    what: /^add: .*\[2, 3\].*\[4\]/,
    fix: /./,
    make: () => zeros([2, 3]).add(zeros([4])), // mistake: shapes that do not broadcast
  },
  'inner sizes of a product': {
    kind: 'ShapeError',
    what: /^matmul: .*\[2, 3\].*\[4, 5\]/,
    fix: /./,
    make: () => zeros([2, 3]).matmul(zeros([4, 5])), // mistake: inner sizes of a product
  },
  'a dim out of range': {
    kind: 'ShapeError',
    what: /^sum: dim 2 is out of range for 2 dims/,
    fix: /./,
    make: () => zeros([2, 3]).sum(2), // mistake: a dim out of range
  },
  'an index out of range': {
    kind: 'ShapeError',
    what: /^select: index 9 .*3/,
    fix: /./,
    make: () => zeros([3]).select(0, 9), // mistake: an index out of range
  },
  'a count of elements that does not fit': {
    kind: 'ShapeError',
    what: /^reshape: .*\[2, 3\].*\[4, 2\]/,
    fix: /./,
    make: () => zeros([2, 3]).reshape([4, 2]), // mistake: a count of elements that does not fit
  },
  'sizes to join that differ': {
    kind: 'ShapeError',
    what: /^cat: /,
    fix: /./,
    make: () => cat([zeros([2, 3]), zeros([2, 4])], 0), // mistake: sizes to join that differ
  },
  'a dtype that an op does not take': {
    kind: 'DtypeError',
    what: /^bitwiseAnd: .*f32/,
    fix: /./,
    make: () => zeros([2]).bitwiseAnd(zeros([2])), // mistake: a dtype that an op does not take
  },
  'a condition that is not bool': {
    kind: 'DtypeError',
    what: /^where: .*f32/,
    fix: /./,
    make: () => where(zeros([2]), zeros([2]), zeros([2])), // mistake: a condition that is not bool
  },
  'a reduction of nothing': {
    kind: 'ShapeError',
    what: /^max: .*no elements/,
    fix: /./,
    make: () => zeros([0]).max(), // mistake: a reduction of nothing
  },
  'a device that is not there': {
    kind: 'DeviceError',
    what: /^zeros: .*tpu/,
    fix: /./,
    make: () => zeros([2], { device: any('tpu') }), // mistake: a device that is not there
  },
  'an operand of another kind': {
    kind: 'ArgumentError',
    what: /^add: .*"3"/,
    fix: /./,
    make: () => zeros([2]).add(any('3')), // mistake: an operand of another kind
  },
  'an option that does not exist': {
    kind: 'ArgumentError',
    what: /^sum: no parameter 'keepDim'/,
    fix: /keepdim/,
    make: () => zeros([2]).sum(0, any({ keepDim: true })), // mistake: an option that does not exist
  },
  'a missing argument': {
    kind: 'ArgumentError',
    what: /^softmax: /,
    fix: /./,
    make: () => zeros([2]).softmax(any(undefined)), // mistake: a missing argument
  },
  'a write into an expanded view': {
    kind: 'ShapeError',
    what: /^add_: several elements of f32\[3\] share memory/,
    fix: /clone/,
    make: () => zeros([1]).expand([3]).add_(1), // mistake: a write into an expanded view
  },
  'a write of a larger shape': {
    kind: 'ShapeError',
    what: /^add_: /,
    fix: /./,
    make: () => zeros([3]).add_(zeros([2, 3])), // mistake: a write of a larger shape
  },
  'a write of fractions into integers': {
    kind: 'DtypeError',
    what: /^add_: /,
    fix: /./,
    make: () => zeros([3], { dtype: 'i32' }).add_(0.5), // mistake: a write of fractions into integers
  },
  'a disposed tensor': {
    kind: 'DisposedError',
    what: /^add: .*f32\[2\], was disposed at .*mistakes\.ts:\d+/,
    fix: /clone/,
    make: () => disposed().add(1), // mistake: a disposed tensor
  },
  'ragged data': {
    kind: 'ShapeError',
    what: /^tensor: /,
    fix: /./,
    make: () => tensor([[1, 2], [3]]), // mistake: ragged data
  },
  'data that its dtype cannot represent': {
    kind: 'DtypeError',
    what: /^tensor: /,
    fix: /./,
    make: () => tensor([300], { dtype: 'u8' }), // mistake: data that its dtype cannot represent
  },
  'a shape that is none': {
    kind: 'ArgumentError',
    what: /^zeros: size is \[2, -1\]/,
    fix: /./,
    make: () => zeros([2, -1]), // mistake: a shape that is none
  },
}

function disposed(): Tensor {
  const gone = zeros([2])
  gone.dispose()
  return gone
}

const frozen = compile((x: Tensor) => x.add(1), { onRecompile: 'error', dynamic: false, name: 'frozen' })
let leaked: Tensor | null = null
const leak = compile((x: Tensor) => {
  leaked = x.add(1)
  return leaked
})
const reading = compile(
  (x: Tensor) => {
    const total = x.sum()
    return total.itemSync() > 0 ? x : x.neg() // mistake: a read under fullgraph
  },
  { fullgraph: true, name: 'reading' },
)
const wrongInside = compile((x: Tensor) => x.relu().add(zeros([7]))) // mistake: a wrong shape inside of a compiled function
const copyKernel = kernel({
  name: 'copy',
  params: { x: view(f32, 1), out: view(f32, 1) },
  grid: () => [1],
  body: (t, { x, out }) => t.store(out, [0], t.load(x, [0], [16])),
})
const mixed = kernel({
  name: 'mixed',
  params: { x: view(f32, 1), y: view(i32, 1), out: view(f32, 1) },
  grid: () => [1],
  body: (t, { x, y, out }) => {
    const sum = t.load(x, [0], [16]).add(t.load(y, [0], [8])) // mistake: a kernel’s tiles of different shapes
    t.store(out, [0], sum)
  },
})

const aboutFunctions: Readonly<Record<string, Mistake>> = {
  'several elements as one': {
    kind: 'ArgumentError',
    what: /^itemSync: .*3/,
    fix: /./,
    make: () => zeros([3]).itemSync(), // mistake: several elements as one
  },
  'a large integer as a number': {
    kind: 'ArgumentError',
    what: /2\^53|9007199254740993/,
    fix: /dataSync/,
    make: () => tensor([9007199254740993n]).itemSync(), // mistake: a large integer as a number
  },
  'a read under fullgraph': {
    kind: 'CaptureError',
    what: /^itemSync: .*reading/,
    fix: /where/,
    make: () => reading(zeros([2])),
  },
  'a wrong shape inside of a compiled function': {
    kind: 'ShapeError',
    what: /^add: .*\[2\].*\[7\]/,
    fix: /./,
    make: () => wrongInside(zeros([2])),
  },
  'a result that is no tensor': {
    kind: 'CaptureError',
    what: /result\.n is 3, not a tensor/,
    fix: /return a tensor/,
    make: () => compile((x: Tensor) => ({ x, n: 3 }))(zeros([1])), // mistake: a result that is no tensor
  },
  'an asynchronous function': {
    kind: 'CaptureError',
    what: /promise/,
    fix: /await/,
    make: () => compile(async (x: Tensor) => x)(zeros([1])), // mistake: an asynchronous function
  },
  'no function': {
    kind: 'ArgumentError',
    what: /^compile: 3 is no function/,
    fix: /./,
    make: () => compile(any(3)), // mistake: no function
  },
  'an option of compile that does not exist': {
    kind: 'ArgumentError',
    what: /^compile: no option 'fullGraph'/,
    fix: /fullgraph/,
    make: () => compile((x: Tensor) => x, any({ fullGraph: true })), // mistake: an option of compile that does not exist
  },
  'a compilation where none may be': {
    kind: 'RecompileError',
    what: /frozen compiles again: args\[0\]: size of dim 0 was 2, now 3/,
    fix: /warm up/,
    make: () => [frozen(zeros([2])), frozen(zeros([3]))], // mistake: a compilation where none may be
  },
  'a disposed argument': {
    kind: 'DisposedError',
    what: /^frozen: args\[0\].*disposed at/,
    fix: /clone/,
    make: () => [frozen(zeros([2])), frozen(disposed())], // mistake: a disposed argument
  },
  'a traced tensor used outside': {
    kind: 'CaptureError',
    what: /^mul: .*stands for a value of .* left it outside/,
    fix: /return it from/,
    make: () => [leak(zeros([2])), leaked!.mul(2)], // mistake: a traced tensor used outside
  },
  'an argument that is written and shared': {
    kind: 'CaptureError',
    what: /share/,
    fix: /./,
    make: () => sharedWrite(),
  },
  'a kernel’s tiles of different shapes': {
    kind: 'KernelError',
    what: /\[16\].*\[8\]/,
    fix: /./,
    make: () => mixed.launch({ x: zeros([16]), y: zeros([8], { dtype: 'i32' }), out: zeros([16]) }),
  },
  'a kernel’s argument of another dtype': {
    kind: 'DtypeError',
    what: /^kernel 'copy': .*'x'.*i32/,
    fix: /./,
    make: () => copyKernel.launch(any({ x: zeros([16], { dtype: 'i32' }), out: zeros([16]) })), // mistake: a kernel’s argument of another dtype
  },
  'a kernel’s missing argument': {
    kind: 'ArgumentError',
    what: /^kernel 'copy': .*'out'/,
    fix: /./,
    make: () => copyKernel.launch(any({ x: zeros([16]) })), // mistake: a kernel’s missing argument
  },
  'a file that is no compiled function': {
    kind: 'ArtifactError',
    what: /mistakes\.ts/,
    fix: /./,
    make: () => loadCompiled(import.meta.filename), // mistake: a file that is no compiled function
  },
  'an export of what is not compiled': {
    kind: 'ArgumentError',
    what: /^exportCompiled: /,
    fix: /./,
    make: () => exportCompiled(any(Math.sqrt), '/nowhere'), // mistake: an export of what is not compiled
  },
}

function sharedWrite(): unknown {
  const x = zeros([4])
  const f = compile((a: Tensor, b: Tensor) => a.add_(b)) // mistake: an argument that is written and shared
  return f(x.narrow(0, 0, 3), x.narrow(0, 1, 3))
}

export const mistakes: Readonly<Record<string, Mistake>> = {
  ...Object.fromEntries(Object.entries(onTensors).map(([name, each]) => [name, { ...each, inside: true }])),
  ...aboutFunctions,
}
