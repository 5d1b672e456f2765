/** What random training programs consist of: statements of the compiled function, and lines of its caller. */
import type { Tensor } from '../../../src/index.js'
import type { Choices } from '../../support/choices.js'

/** A tensor that has a name at every call. */
export interface Known {
  readonly name: string
  readonly values: readonly Tensor[]
  /** It is a leaf of the setup. */
  readonly isLeaf: boolean
}

/** A statement, or a line of the driver, and the names of the tensors that it declares. */
export interface Line {
  readonly text: string
  readonly defines: readonly string[]
}

/** What templates ask the generator for. */
export interface Writer {
  readonly choices: Choices
  /** Whether results are discontinuous where rounding moves them; then few ops are. */
  name(prefix: string): string
  tensor(fits?: (tensor: Tensor) => boolean): Known | null
  leaf(): string
  /** The optimiser and the model, if the program has them. */
  readonly hasModel: boolean
  readonly hasOptimizer: boolean
  readonly hasNested: boolean
}

type Expression = (w: Writer) => string | null
type Statement = (w: Writer) => Line | null

const float = (t: Tensor): boolean => t.dtype === 'f64' || t.dtype === 'f32'
const withDims =
  (least: number) =>
  (t: Tensor): boolean =>
    t.ndim >= least && float(t) && t.numel() > 0
const traced = (t: Tensor): boolean => t.requiresGrad

const onOne =
  (texts: readonly string[], fits: (t: Tensor) => boolean = float): Expression =>
  w => {
    const x = w.tensor(fits)
    return x === null ? null : w.choices.of(texts).replaceAll('$', x.name)
  }

const unary = onOne([
  '$.sin()',
  '$.tanh()',
  '$.tanh().exp()',
  '$.sin().square()',
  '$.mul(0.5)',
  '$.add(1)',
  '$.neg()',
  '$.relu()',
  '$.abs()',
  '$.sigmoid()',
  '$.clone()',
  '$.square().add(1).sqrt()',
  '$.square().add(1).log()',
  '$.square().add(1).reciprocal()',
  '$.gelu()',
  '$.clamp(-0.5, 0.5)',
  'where($.gt(0), $, $.mul(0.1))',
  '$.maskedFill($.lt(0), 0.25)',
  'F.silu($)',
  '$.sin().pow(3)',
  "$.to('f32').sin().to('f64')",
  '$.sub($)',
  '$.mul($)',
  '$.detach().mul($)',
  '$.sign().mul($)',
])
const cut = onOne([
  '$.detach()',
  'noGrad(() => $.sin())',
  'noGrad(() => enableGrad(() => $.sin()))',
  '$.detach().sin()',
  '$.gt(0).to("f64")',
])
const reduction = onOne(
  ['$.sum()', '$.mean()', '$.amax()', '$.square().add(0.1).prod().tanh()', '$.logsumexp(0)', '$.norm()'],
  t => float(t) && t.ndim > 0 && t.numel() > 0,
)
const along = onOne(
  [
    '$.sum(0)',
    '$.mean(-1, { keepdim: true })',
    '$.amax(-1)',
    '$.softmax(-1)',
    '$.logSoftmax(0)',
    '$.cumsum(0)',
    '$.flip(0)',
    '$.roll(1, 0)',
    '$.sort(-1).values',
    '$.topk(1, { dim: 0 }).values',
    'F.layerNorm($, [$.shape.at(-1)])',
    '$.var(-1, { correction: 0 })',
    '$.indexSelect(0, tensor([0, 0], { dtype: "i64" }))',
    '$.gather(-1, zerosLike($).to("i64"))',
    '$.repeat($.shape.map(() => 2))',
    '$.pad([1, 1])',
    '$.tanh().cumprod(-1)',
    '$.sum(0, { keepdim: true }).expand($.shape)',
    '$.unbind(0)[0]',
    'cat([$, $.sin()])',
    'stack([$, $.tanh()], 1)',
    '$.maxWithIndices(0).values',
    '$.tril()',
    '$.indexAdd(0, tensor([0], { dtype: "i64" }), $.narrow(0, 0, 1))',
    'F.dropout($, { p: 0.5 })',
    '$.square().add(0.1).norm(2, -1)',
  ],
  t => float(t) && t.ndim > 0 && t.ndim < 4 && t.numel() > 0,
)
const viewTexts = [
  '.t()',
  '.transpose(0, -1)',
  '.select(0, 0)',
  '.select(-1, -1)',
  '.narrow(0, 0, 1)',
  '.slice([0, null, 2])',
  '.reshape([-1])',
  '.flatten()',
  '.unsqueeze(0)',
  '.unsqueeze(-1)',
  '.expand([2, ...@.shape])',
  '.diagonal()',
  '.squeeze()',
  '.view(@.shape)',
  '.permute(@.shape.map((_, d) => @.ndim - 1 - d))',
]
const view: Expression = w => {
  const x = w.tensor(withDims(1))
  return x === null ? null : x.name + w.choices.of(viewTexts).replaceAll('@', x.name)
}
const binary: Expression = w => {
  const [x, y] = [w.tensor(float), w.tensor(float)]
  if (x === null || y === null) return null
  return w.choices
    .of([
      '$.add(@)',
      '$.mul(@)',
      '$.sub(@)',
      '$.div(@.square().add(1))',
      '$.matmul(@)',
      '$.maximum(@)',
      '$.mul(@.sin())',
      'linear($, @)',
      '$.atan2(@.square().add(1))',
      '$.lerp(@, 0.25)',
      '$.unsqueeze(-1).matmul(@.unsqueeze(0))',
      'where($.gt(@), $, @)',
    ])
    .replaceAll('$', x.name)
    .replaceAll('@', y.name)
}
const functional: Expression = w => {
  const [x, y] = [w.tensor(float), w.tensor(float)]
  if (x === null || y === null) return null
  const body = w.choices.of(['q.sin().sum()', 'q.mul(@).sum()', 'q.square().mean().add(@.sum())', 'q.tanh().prod()'])
  return w.choices
    .of([
      `grad(q => ${body})($)`,
      `grad(q => grad(q => ${body})(q).sin().sum())($)`,
      `valueAndGrad(q => ${body})($)[1]`,
      `valueAndGrad(q => ${body})($)[0]`,
      'vjp(q => q.sin(), $)[1]($.cos())',
      'jvp(q => q.sin(), [$], [onesLike($)])[1]',
      'own($)',
      'own($).mul(@)',
      'gradients($.sin().sum(), $, { createGraph: true, allowUnused: true })[0]',
    ])
    .replaceAll('$', x.name)
    .replaceAll('@', y.name)
}
const withModel: Expression = w => {
  const x = w.tensor(t => t.dtype === 'f64' && t.ndim === 2 && t.shape[1] === 3 && t.shape[0]! > 1)
  return x === null || !w.hasModel ? null : `model(${x.name})`
}
const nested: Expression = w => {
  const [x, y] = [w.tensor(float), w.tensor(float)]
  return x === null || y === null || !w.hasNested ? null : `g(${x.name}, ${y.name})`
}
const gradOf: Expression = w =>
  w.choices
    .of([
      '$.grad',
      '($.grad ?? zerosLike($))',
      '($.grad?.mul(2) ?? null)',
      '($.grad === null ? $ : $.mul(2))',
      '($.grad?.sum().add($.sum()) ?? $)',
    ])
    .replaceAll('$', w.leaf())

const expressions: readonly (readonly [number, Expression])[] = [
  [10, unary],
  [12, binary],
  [3, cut],
  [5, reduction],
  [10, along],
  [12, view],
  [4, functional],
  [6, withModel],
  [3, nested],
  [3, gradOf],
]

/** Picks by weight; null where the template does not fit. */
export function pick<T>(choices: Choices, list: readonly (readonly [number, T])[]): T {
  let rest = choices.below(list.reduce((sum, [weight]) => sum + weight, 0))
  for (const [weight, item] of list) {
    rest -= weight
    if (rest < 0) return item
  }
  return list[0]![1]
}

const declare: Statement = w => {
  const text = pick(w.choices, expressions)(w)
  if (text === null) return null
  const name = w.name('v')
  return { text: `const ${name} = ${text}`, defines: [name] }
}

const line = (text: string): Line => ({ text, defines: [] })

const targets = [
  '',
  '',
  '',
  '.narrow(0, 0, 1)',
  '.select(0, 0)',
  '.t()',
  '.slice([0, null, 2])',
  '.reshape([-1])',
  '.detach()',
  '.unsqueeze(0)',
  '.diagonal()',
]
const inPlaceTexts = [
  'add_(1)',
  'mul_(0.5)',
  'mul_(@)',
  'add_(@)',
  'copy_(@)',
  'sub_(@.mul(0.1))',
  'fill_(0.5)',
  'zero_()',
  'sin_()',
  'tanh_()',
  'neg_()',
  'relu_()',
  'clamp_(-1, 1)',
  'mul_($)',
  'copy_($.flip(0))',
  'addcmul_(@, @)',
  'maskedFill_($.gt(0), 0.5)',
  'exp_()',
  'indexFill_(0, tensor([0], { dtype: "i64" }), 0.5)',
]

export const write: Statement = w => {
  const [x, y] = [w.tensor(withDims(1)), w.tensor(float)]
  if (x === null || y === null) return null
  const text = `${x.name}${w.choices.of(targets)}.${w.choices.of(inPlaceTexts).replaceAll('@', y.name).replaceAll('$', x.name)}`
  return line(w.choices.oneIn(5) ? `noGrad(() => ${text})` : text)
}

const lossOf = (w: Writer): string | null => {
  const [x, y] = [w.tensor(traced), w.tensor(t => float(t) && t.requiresGrad)]
  if (x === null || y === null) return null
  return w.choices
    .of([
      '$.sum()',
      '$.square().mean()',
      '$.sin().sum().add(@.sum())',
      '$.mul($).sum()',
      '$.norm()',
      '$.mean().mul(@.mean())',
    ])
    .replaceAll('$', x.name)
    .replaceAll('@', y.name)
}

const passOptions = [
  '',
  '',
  '',
  '{ retainGraph: true }',
  '{ createGraph: true }',
  '{ inputs: [%] }',
  '{ inputs: %, retainGraph: true }',
]

export const backward: Statement = w => {
  const loss = lossOf(w)
  if (loss === null) return null
  const options = w.choices.of(passOptions).replaceAll('%', w.leaf())
  if (w.choices.oneIn(4)) {
    const x = w.tensor(traced)!
    const seed = w.choices.of([
      'onesLike($)',
      '$.cos()',
      '$.detach()',
      'ones([1], { dtype: $.dtype }).expand($.shape)',
      'onesLike($).mul(0.5)',
    ])
    return line(`${x.name}.backward(${seed.replaceAll('$', x.name)}${options === '' ? '' : `, ${options}`})`)
  }
  if (w.choices.oneIn(2)) {
    const name = w.name('l')
    return {
      text: `const ${name} = ${loss}\n  ${name}.backward(${options === '' ? '' : `null, ${options}`})`,
      defines: [name],
    }
  }
  return line(`${loss}.backward(${options === '' ? '' : `null, ${options}`})`)
}

export const asked: Statement = w => {
  const [loss, x] = [lossOf(w), w.tensor(traced)]
  if (loss === null || x === null) return null
  const name = w.name('v')
  const options = w.choices.of(['', ', { createGraph: true }', ', { retainGraph: true }', ', { createGraph: true }'])
  if (w.choices.oneIn(3)) {
    const other = w.name('v')
    const input = w.leaf()
    const more = options === '' ? ', { allowUnused: true }' : options.replace(' }', ', allowUnused: true }')
    return {
      text: `const [${name}, ${other}] = gradients(${loss}, [${x.name}, ${input}]${more})`,
      defines: [name, other],
    }
  }
  return { text: `const [${name}] = gradients(${loss}, ${x.name}${options})`, defines: [name] }
}

export const update: Statement = w => {
  const p = w.leaf()
  return line(
    w.choices
      .of([
        'noGrad(() => { if ($.grad !== null) $.sub_($.grad.mul(0.1)) })',
        '$.grad = null',
        '$.grad = null',
        '$.grad = zerosLike($)',
        '$.grad = onesLike($)',
        'noGrad(() => $.grad?.mul_(0.5))',
        '$.grad?.zero_()',
        '$.grad = $.grad?.clone() ?? null',
        'noGrad(() => $.mul_(0.9))',
        'noGrad(() => $.select(0, 0).mul_(0.9))',
        'clipGradNorm([$], 0.5)',
        '$.detach().mul_(0.9)',
        ...(w.hasOptimizer
          ? [
              'opt.step()',
              'opt.step()',
              'opt.zeroGrad()',
              'opt.step(), opt.zeroGrad()',
              'opt.zeroGrad({ setToNull: false })',
            ]
          : []),
        ...(w.hasModel ? ['model.zeroGrad()', 'clipGradNorm(model.parameters(), 1)'] : []),
      ])
      .replaceAll('$', p),
  )
}

const branch: Statement = w => {
  const [x, y] = [w.tensor(float), w.tensor(float)]
  if (x === null || y === null) return null
  const name = w.name('v')
  const test = w.choices.of([
    '@.sum().itemSync() > 0',
    'k > 1',
    '@.requiresGrad',
    'isGradEnabled()',
    'k > 2',
    '@.isLeaf',
  ])
  const [then, other] = [
    w.choices.of(['$.sin()', '$.mul(2)', '$.detach()', '$']),
    w.choices.of(['$.tanh()', '$.add(@)', '$.clone()']),
  ]
  return {
    text: `const ${name} = ${test} ? ${then} : ${other}`.replaceAll('$', x.name).replaceAll('@', y.name),
    defines: [name],
  }
}

const number: Statement = w => {
  const x = w.tensor(float)
  if (x === null) return null
  const name = w.name('v')
  return {
    text: `const ${name} = ${w.choices.of([`${x.name}.mul(k)`, `${x.name}.add(k).sin()`, `${x.name}.sum().mul(x.shape[0])`, `${x.name}.div(x.shape[0])`])}`,
    defines: [name],
  }
}

const quiet: Statement = w => {
  const made = pick(w.choices, expressions)(w)
  if (made === null) return null
  const name = w.name('v')
  const body = w.choices.of([
    `noGrad(() => ${made})`,
    `noGrad(() => { const q = ${made}; return q.mul(2) })`,
    `enableGrad(() => ${made})`,
  ])
  return { text: `const ${name} = ${body}`, defines: [name] }
}

export const statements: readonly (readonly [number, Statement])[] = [
  [40, declare],
  [10, write],
  [8, backward],
  [5, asked],
  [7, update],
  [3, branch],
  [3, number],
  [3, quiet],
]

/** What the caller does between calls. */
const between: Statement = w =>
  line(
    w.choices
      .of([
        '$.grad = null',
        '$.grad = null',
        '$.requiresGrad_(false)',
        '$.requiresGrad_(true)',
        '$.requiresGrad_(!$.requiresGrad)',
        '$.grad = zerosLike($)',
        '$.grad = onesLike($)',
        'noGrad(() => $.mul_(0.9))',
        '$.detach().add_(0.1)',
        'noGrad(() => $.t().copy_($.t().sin()))',
        'k = 3 - k',
        'k = k + 1',
        'x = data([N, 3], S++)',
        'N = 5 - N, x = data([N, 3], S++)',
        'N++, x = data([N, 3], S++)',
        'x = data([N, 3], S++).requiresGrad_()',
        'x = data([3, N], S++).t()',
        'x = data([1, 3], S++).expand([N, 3])',
        'x = data([2, 3], S++).mul($.sum())',
        'x = c.sin()',
        'x.add_(0.5)',
        'const h# = $.registerHook(t => t.mul(2))',
        'const h# = $.registerHook(t => { seen.push(t.clone()) })',
        'manualSeed(k)',
        ...(w.hasModel
          ? [
              'model.eval()',
              'model.train()',
              'model.requiresGrad_(false)',
              'model.requiresGrad_(true)',
              'model.zeroGrad()',
              'model[0].weight.requiresGrad_(false)',
            ]
          : []),
        ...(w.hasOptimizer
          ? ['opt.step()', 'opt.zeroGrad()', 'opt.paramGroups[0].lr = 0.05', 'opt.step(), opt.zeroGrad()']
          : []),
      ])
      .replaceAll('$', w.leaf())
      .replaceAll('#', w.name('')),
  )

const afterCall: Statement = w => {
  const x = w.tensor(t => t.requiresGrad)
  if (x === null || !x.name.startsWith('r')) return null
  const g = w.name('g')
  const options = w.choices.of(passOptions).replaceAll('%', w.leaf())
  const texts: readonly (readonly [string, readonly string[]])[] = [
    [`$.sum().backward(${options === '' ? '' : `null, ${options}`})`, []],
    [`$.square().sum().backward(${options === '' ? '' : `null, ${options}`})`, []],
    [`$.backward($.cos()${options === '' ? '' : `, ${options}`})`, []],
    ['$.backward(ones([1], { dtype: $.dtype }).expand($.shape))', []],
    [
      `const [${g}] = gradients($.sin().sum(), [%], { createGraph: true, allowUnused: true })`.replaceAll(
        '%',
        w.leaf(),
      ),
      [g],
    ],
    [`const [${g}] = gradients($.sum(), %, { allowUnused: true })`.replaceAll('%', w.leaf()), [g]],
    ['$.retainGrad()', []],
    ['$.registerHook(t => t.mul(2))', []],
    ['$.add_(1)', []],
    ['$.select(0, 0).mul_(2)', []],
    [`const ${g} = $.sin()`, [g]],
    ['x = $', []],
    ['noGrad(() => $.mul_(2))', []],
    ['$.detach_()', []],
  ]
  const [text, defines] = w.choices.of(texts)
  return { text: text.replaceAll('$', x.name), defines }
}

export const driverLines: readonly (readonly [number, Statement])[] = [
  [6, between],
  [8, afterCall],
]

export const calls: readonly (readonly [number, string])[] = [
  [12, 'f(x, k)'],
  [1, 'noGrad(() => f(x, k))'],
  [1, 'inferenceMode(() => f(x, k))'],
  [1, "autocast('bf16', () => f(x, k))"],
  [1, 'enableGrad(() => f(x, k))'],
  [1, 'f(x.detach(), k)'],
]
