/** What random programs are made of: templates of expressions and statements, each with how often it is tried. */
import { PlainTensor } from '../plain/index.js'
import type { Feature } from './features.js'
import type { Known, Writer } from './generate.js'
import type { Statement } from './script.js'

export interface Offer {
  readonly statements: readonly Statement[]
  /** Local variables that it declares. */
  readonly defines?: readonly string[]
  readonly uses: readonly Feature[]
}

type Template = readonly [weight: number, (w: Writer) => string | null, ...Feature[]]

const first = (known: Known): PlainTensor => known.values[0] as PlainTensor

/** A dim of a tensor, from the front or the back. */
function dimOf(w: Writer, known: Known): number {
  const { ndim } = first(known)
  return w.choices.below(Math.max(1, ndim)) - (w.choices.oneIn(2) ? Math.max(1, ndim) : 0)
}

/** A method of some tensor. */
const on =
  (write: (w: Writer, x: Known) => string, fits: (x: PlainTensor) => boolean = () => true) =>
  (w: Writer): string | null => {
    const x = w.tensor(fits)
    return x === null ? null : `${x.text}${write(w, x)}`
  }

const withDims = (least: number) => (x: PlainTensor) => x.ndim >= least
const isFloat = (x: PlainTensor): boolean => /f/.test(x.dtype)

const unary = on(
  w =>
    `.${w.choices.of([
      'neg()',
      'abs()',
      'relu()',
      'square()',
      'sign()',
      'floor()',
      'clamp(-3, 3)',
      'logicalNot()',
      'clone()',
      'contiguous()',
      'exp()',
      'tanh()',
      'sigmoid()',
      'remainder(3)',
      'floorDivide(2)',
      'div(2)',
    ])}`,
)

function other(w: Writer, x: Known): string {
  const kind = w.choices.below(4)
  if (kind === 0) return w.choices.of(['1', '2', '-1', '0.5', '3'])
  if (kind === 1) return w.number() ?? '1'
  const { shape } = first(x)
  const meets = (y: PlainTensor): boolean =>
    y.shape.every((size, d) => {
      const mine = shape[d - y.ndim + shape.length]
      return mine === undefined || size === 1 || mine === 1 || size === mine
    })
  return w.tensor(meets)?.text ?? '2'
}

const binary = on(
  (w, x) => `.${w.choices.of(['add', 'sub', 'mul', 'maximum', 'minimum', 'add', 'mul'])}(${other(w, x)})`,
)
const comparison = on((w, x) => `.${w.choices.of(['gt', 'lt', 'eq', 'ge', 'ne'])}(${other(w, x)})`)
const masked = on(
  (w, x) => `.maskedFill(${x.text}.${w.choices.of(['gt(0)', 'lt(0)', 'eq(1)'])}, ${w.choices.of(['0', '9'])})`,
)
const choice = (w: Writer): string | null => {
  const x = w.tensor()
  return x === null ? null : `where(${x.text}.gt(0), ${x.text}, ${other(w, x)})`
}

const reduction = on((w, x) => {
  const name = w.choices.of(['sum', 'sum', 'mean', 'amax', 'amin', 'var'])
  if (w.choices.oneIn(4)) return `.${name}()`
  return `.${name}(${dimOf(w, x)}${w.choices.oneIn(2) ? ', { keepdim: true }' : ''})`
}, withDims(1))

const alongDim = on((w, x) => {
  const dim = dimOf(w, x)
  return `.${w.choices.of([
    `cumsum(${dim})`,
    `softmax(${dim})`,
    `logsumexp(${dim})`,
    `argmax(${dim})`,
    `any(${dim})`,
    `sort({ dim: ${dim}, descending: ${w.choices.oneIn(2)} }).values`,
    `sort({ dim: ${dim} }).indices`,
    `topk(1, { dim: ${dim} }).values`,
    `topk(${Math.max(1, first(x).size(dim))}, { dim: ${dim} }).indices`,
    `flip(${dim})`,
    `roll(1, ${dim})`,
    'diff()',
    'pad([1, 1])',
    'pad([0, -1], { value: 2 })',
  ])}`
}, withDims(1))

const cast = on(w => `.to('${w.choices.of(['f32', 'f64', 'f16', 'bf16', 'i32', 'i64'])}')`)

const view = on((w, x) => {
  const dim = dimOf(w, x)
  const { shape, ndim } = first(x)
  const at = w.choices.below(Math.max(1, shape.at(dim) ?? 1))
  return `.${w.choices.of([
    'flatten()',
    'reshape([-1])',
    't()',
    `transpose(0, ${dim})`,
    `permute([${shape.map((_, d) => ndim - 1 - d).join(', ')}])`,
    `unsqueeze(${dim})`,
    'squeeze()',
    `squeeze(${dim})`,
    `narrow(${dim}, ${at}, 1)`,
    `narrow(${dim}, 0, ${Math.max(0, (shape.at(dim) ?? 1) - 1)})`,
    `select(${dim}, ${w.choices.oneIn(2) ? -1 : 0})`,
    'slice([1, null])',
    'slice([0, null, 2])',
    'slice([null, -1])',
    "get('...', 0)",
    // as many calls as the size says
    ...(w.isSteady ? [] : [`unbind(${dim})[0]`, `split(2, ${dim})[0]`]),
    `chunk(2, ${dim})[0]`,
    w.has('expanded') ? `expand([2, ${shape.map(() => -1).join(', ')}])` : 'flatten()',
    w.has('expanded') ? `unfold(${dim}, 2, 1)` : 'squeeze()',
    'diagonal()',
    `movedim(0, ${dim})`,
    `unflatten(${dim}, [-1, 1])`,
    'view([-1])',
    'contiguous()',
    'reshape([1, -1])',
  ])}`
}, withDims(1))

const join = (w: Writer): string | null => {
  const x = w.tensor(withDims(1))
  if (x === null) return null
  const y = w.tensor(other => other.dtype === first(x).dtype && `${other.shape}` === `${first(x).shape}`) ?? x
  return w.choices.of([
    `cat([${x.text}, ${y.text}], ${dimOf(w, x)})`,
    `stack([${x.text}, ${y.text}])`,
    `cat([${x.text}])`,
  ])
}

const product = (w: Writer): string | null => {
  const x = w.tensor(t => t.ndim >= 1 && isFloat(t))
  if (x === null) return null
  const inner = first(x).shape.at(-1)
  const y = w.tensor(t => t.dtype === first(x).dtype && t.ndim >= 1 && t.shape.at(t.ndim === 1 ? -1 : -2) === inner)
  const own =
    first(x).ndim === 2 ? `${x.text}.matmul(${x.text}.t())` : `${x.text}.unsqueeze(-1).matmul(${x.text}.unsqueeze(-2))`
  return w.choices.of([
    own,
    y === null ? own : `${x.text}.matmul(${y.text})`,
    `linear(${x.text}, ${y?.text ?? x.text})`,
  ])
}

const rearrangement = on((w, x) => {
  const counts = first(x).shape.map((_, d) => (d === 0 ? 2 : 1))
  return `.${w.choices.of(['tril()', 'triu()', `repeat([${counts.join(', ')}])`, 'indexSelect(0, arange(1))', `gather(0, zerosLike(${x.text}).to('i64'))`])}`
}, withDims(1))

const creation = (w: Writer): string | null => {
  const x = w.tensor()
  const like = x === null ? 'zeros([3])' : `${w.choices.of(['zerosLike', 'onesLike'])}(${x.text})`
  return w.choices.of([
    like,
    'ones([3])',
    'full([2, 3], 2)',
    'arange(3)',
    "arange(3, { dtype: 'f32' })",
    'tensor([1, 2, 3])',
  ])
}

/** Expressions that use sizes or other numbers of the program. */
const sized = (w: Writer): string | null => {
  const x = w.tensor(withDims(1))
  const n = w.number()
  if (x === null || n === null) return null
  return w.choices.of([
    `${x.text}.mul(${n})`,
    `${x.text}.add(${n})`,
    `${x.text}.div(${n})`,
    `${x.text}.reshape([${n}, -1])`,
    `${x.text}.reshape([-1, ${n}])`,
    `${x.text}.narrow(0, 0, ${n})`,
    `${x.text}.narrow(0, ${n} - 1, 1)`,
    `${x.text}.slice([0, ${n}])`,
    w.has('expanded')
      ? `${x.text}.expand([${n}, ${first(x)
          .shape.map(() => -1)
          .join(', ')}])`
      : `${x.text}.sub(${n})`,
    `${x.text}.select(0, ${n} - 1)`,
    `${x.text}.roll(${n}, 0)`,
    `${x.text}.pad([0, ${n}])`,
    `${x.text}.topk(Math.trunc(${n} ?? 1), { dim: 0 }).values`,
    `arange(${n}).add(${x.text}.sum())`,
    `zeros([${n}]).add(1)`,
    `full([${n}], ${n})`,
    `ones([${n}, 2]).cumsum(0)`,
    `tensor([${n}, 1])`,
    `${x.text}.eq(${n})`,
    `arange(0, ${n}, 2)`,
    `${x.text}.repeat([${first(x)
      .shape.map((_, d) => (d === 0 ? n : 1))
      .join(', ')}])`,
  ])
}

const random = (w: Writer): string | null => {
  const x = w.tensor(isFloat)
  return w.choices.of([
    'rand([3])',
    'randint(0, 5, [2, 3])',
    x === null ? 'rand([2])' : `dropout(${x.text}, { p: 0.5 })`,
    `rand([${w.number() ?? 3}])`,
  ])
}

const whole =
  (Class: abstract new (...args: never[]) => object, write: (w: Writer, x: string) => string) =>
  (w: Writer): string | null => {
    const x = w.find(value => value instanceof Class)
    return x === null ? null : write(w, x.text)
  }

const isRecord = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

const ofRecord = (w: Writer): string | null => {
  const o = w.find(isRecord)
  if (o === null) return null
  return w.choices.of([
    `cat(Object.values(${o.text}).filter(t => t instanceof Tensor).map(t => t.flatten()))`,
    `Object.values(${o.text}).find(t => t instanceof Tensor)`,
    `(${o.text}.c ?? ${o.text}.a)`,
    `('c' in ${o.text} ? ${o.text}.c : ${o.text}.a.neg())`,
    `Object.entries(${o.text}).reduce((s, [k, t]) => (t instanceof Tensor ? s.mul(2).add(t.sum()) : s), zeros([]))`,
  ])
}

const ofArray = whole(Array, (w, x) =>
  w.choices.of([
    `${x}.at(-1)`,
    `${x}.reduce((s, t) => s.mul(2).add(t.sum()), zeros([]))`,
    `stack(${x})`,
    `cat(${x}.map(t => t.flatten()))`,
  ]),
)
const ofMap = whole(Map, (w, x) =>
  w.choices.of([
    `${x}.get('a')`,
    `[...${x}.values()][0]`,
    `cat([...${x}.values()].map(t => t.flatten()))`,
    `(${x}.has('c') ? ${x}.get('c') : ${x}.get('b'))`,
    `${x}.get('a').mul(${x}.size)`,
  ]),
)
const ofSet = whole(Set, (w, x) => w.choices.of([`[...${x}][0]`, `[...${x}].at(-1)`, `[...${x}][0].mul(${x}.size)`]))
const ofTyped = (w: Writer): string | null => {
  const x = w.find(value => ArrayBuffer.isView(value))
  return x === null ? null : w.choices.of([`tensor([...${x.text}])`, `ones([3]).mul(${x.text}[0])`])
}
const ofDate = whole(Date, (_, x) => `ones([2]).mul(${x}.getTime())`)
const ofClass = (w: Writer): string | null => {
  const p = w.find(value => typeof (value as { setBias?: unknown } | null)?.setBias === 'function')
  const x = w.tensor()
  if (p === null || x === null) return null
  return w.choices.of([
    `${p.text}.apply(${x.text})`,
    `${p.text}.doubled`,
    `${p.text}.w`,
    `${p.text}.apply(${p.text}.w)`,
  ])
}
const ofOptional = (w: Writer): string | null => {
  const names = w.known().filter(({ values }) => values.some(value => value === undefined || value === null))
  return names.length === 0 ? null : `(${w.choices.of(names).text} ?? ones([3]))`
}
const ofValue = (w: Writer): string | null => {
  const flag = w.find(value => typeof value === 'boolean')
  const text = w.find(value => typeof value === 'string')
  const x = w.tensor()
  if (x === null || (flag === null && text === null)) return null
  if (flag !== null) return `(${flag.text} ? ${x.text}.add(1) : ${x.text}.neg())`
  return `(${text!.text} === 'sum' ? ${x.text}.sum() : ${x.text}.mul(2))`
}

const nestedCall = (w: Writer): string | null => {
  const [g, x, y] = [w.find((value, { text }) => typeof value === 'function' && text === 'g'), w.tensor(), w.tensor()]
  return g === null || x === null || y === null ? null : `g(${x.text}, ${y.text})`
}

const callback = (w: Writer): string | null => {
  const [f, x] = [w.find((value, { text }) => typeof value === 'function' && text !== 'g'), w.tensor()]
  return f === null || x === null ? null : `${f.text}(${x.text})`
}

export const expressions: readonly Template[] = [
  [8, unary],
  [14, binary],
  [2, comparison],
  [2, masked],
  [2, choice],
  [8, reduction],
  [8, alongDim],
  [2, cast, 'dtypes'],
  [20, view],
  [4, join],
  [5, product],
  [4, rearrangement],
  [3, creation],
  [14, sized, 'sizes'],
  [4, random, 'random'],
  [6, ofRecord, 'objects'],
  [4, ofArray, 'arrays'],
  [5, ofMap, 'maps'],
  [3, ofSet, 'sets'],
  [4, ofTyped, 'typedArrays'],
  [3, ofDate, 'dates'],
  [9, nestedCall, 'nested'],
  [6, callback, 'callbacks'],
  [6, ofClass, 'classes'],
  [4, ofOptional, 'optional'],
  [3, ofValue, 'numbers'],
]

const sizeOf = (w: Writer): string | null => {
  const x = w.tensor(withDims(1))
  if (x === null) return null
  const d = dimOf(w, x)
  return w.choices.of([
    `${x.text}.shape[${d < 0 ? d + first(x).ndim : d}]`,
    `${x.text}.size(${d})`,
    `${x.text}.numel()`,
    `${x.text}.shape.at(${d})`,
  ])
}

const ownNumber = (w: Writer): string | null => w.find(value => typeof value === 'number')?.text ?? null

const computed = (w: Writer): string | null => {
  const n = w.choices.oneIn(2) ? sizeOf(w) : (ownNumber(w) ?? sizeOf(w))
  if (n === null) return null
  if (w.isSteady) return w.choices.of([`(${n} * 2)`, `(${n} + 1)`, `(${n} - 1)`, `Math.floor(${n} / 2)`])
  return w.choices.of([
    `(${n} * 2)`,
    `(${n} + 1)`,
    `(${n} - 1)`,
    `Math.floor(${n} / 2)`,
    `Math.max(1, ${n} - 1)`,
    `(${n} % 3)`,
    `(${n} > 3 ? 2 : 1)`,
    `2 ** ${n}`,
  ])
}

const counted = (w: Writer): string | null => {
  const x = w.find(value => typeof value === 'object' && value !== null && !(value instanceof PlainTensor))
  if (x === null) return null
  const [value] = x.values
  if (Array.isArray(value) || ArrayBuffer.isView(value)) return `${x.text}.length`
  if (value instanceof Map || value instanceof Set) return `${x.text}.size`
  return `Object.keys(${x.text}).length`
}

export const numbers: readonly Template[] = [
  [6, sizeOf, 'sizes'],
  [6, ownNumber],
  [4, computed, 'sizes'],
  [1, counted],
]

type StatementTemplate = readonly [weight: number, (w: Writer) => Offer | null, ...Feature[]]

function declare(w: Writer, text: string | null, prefix = 'v'): Offer | null {
  if (text === null) return null
  const name = w.name(prefix)
  return { statements: [`const ${name} = ${text}`], defines: [name], uses: [] }
}

const lines = (...texts: readonly (string | Statement)[]): Offer => ({ statements: texts, uses: [] })

const sizesRead = (w: Writer): Offer | null => {
  const x = w.tensor(withDims(1))
  if (x === null) return null
  const name = w.name('n')
  return { statements: [`const [${name}] = ${x.text}.shape`], defines: [name], uses: [] }
}

const write = (w: Writer): Offer | null => {
  const x = w.tensor()
  if (x === null) return null
  const dim = dimOf(w, x)
  const target = w.choices.of([
    '',
    '',
    `.narrow(${dim}, 0, 1)`,
    `.select(${dim}, 0)`,
    '.t()',
    '.slice([0, null, 2])',
    '.flatten()',
    `.unsqueeze(${dim})`,
  ])
  const method = w.choices.of([
    'add_(1)',
    'mul_(2)',
    'fill_(3)',
    'zero_()',
    'neg_()',
    'clamp_(-2, 2)',
    `add_(${other(w, x)})`,
    `copy_(${w.tensor()?.text ?? x.text})`,
    `mul_(${other(w, x)})`,
    `copy_(${x.text}.flip(0))`,
  ])
  return lines(`${x.text}${target}.${method}`)
}

const read = (w: Writer): Offer | null => {
  const x = w.tensor()
  return x === null
    ? null
    : declare(
        w,
        w.choices.of([`${x.text}.sum().itemSync()`, `${x.text}.amax().itemSync()`, `${x.text}.toArray().length`]),
        's',
      )
}

function blockOf(w: Writer, target: string): Statement[] {
  const text = w.expression()
  return [`${target} = ${text ?? `${target}.add(1)`}`]
}

/** A variable that both ways of a branch assign. */
const branch =
  (condition: (w: Writer) => string | null) =>
  (w: Writer): Offer | null => {
    const [x, test] = [w.tensor(), condition(w)]
    if (x === null || test === null) return null
    const name = w.name('b')
    const block = { head: `if (${test})`, body: blockOf(w, name), otherwise: blockOf(w, name) }
    return { statements: [`let ${name} = ${x.text}`, block], defines: [name], uses: [] }
  }

const onValue = (w: Writer): string | null => {
  const x = w.tensor()
  return x === null ? null : `${x.text}.sum().itemSync() > ${w.choices.below(4)}`
}
const onArgument = (w: Writer): string | null => {
  const n = w.number()
  return n === null ? null : `${n} > ${1 + w.choices.below(4)}`
}

/** A variable that is assigned where the op is allowed, and otherwise where its error is caught. */
const caught = (w: Writer): Offer | null => {
  const [x, y] = [w.tensor(withDims(1)), w.tensor()]
  if (x === null || y === null) return null
  const name = w.name('c')
  const attempt = w.choices.of([
    `${x.text}.add(${y.text})`,
    `${x.text}.reshape([2, -1])`,
    `${x.text}.narrow(0, 1, 3)`,
    `${x.text}.matmul(${y.text})`,
    `${x.text}.select(0, 3)`,
    `cat([${x.text}, ${y.text}])`,
    `${x.text}.squeeze(0).t()`,
  ])
  const block = { head: 'try', body: [`${name} = ${attempt}`], handler: blockOf(w, name) }
  return { statements: [`let ${name} = ${x.text}`, block], defines: [name], uses: [] }
}

const loop = (w: Writer): Offer | null => {
  const [x, n] = [w.tensor(withDims(1)), sizeOf(w)]
  if (x === null || n === null) return null
  const name = w.name('acc')
  const body = w.choices.of([
    `${name} = ${name}.add(i)`,
    `${name} = ${name}.mul(2).add(${x.text}.sum())`,
    `${name} = ${name}.add(${x.text}.select(0, i).sum())`,
  ])
  const block = { head: `for (let i = 0; i < ${n}; i++)`, body: [body] }
  return { statements: [`let ${name} = zeros([])`, block], defines: [name], uses: [] }
}

/** An object that holds things. */
const holderOf = (w: Writer): Known | null =>
  w.find((value, known) => {
    if (typeof value !== 'object' || value === null || value instanceof PlainTensor || value instanceof Date)
      return false
    if (!w.has('outerState') && w.isOuter(known)) return false
    return !ArrayBuffer.isView(value)
  })

const ownState = (w: Writer): Offer | null => {
  const holder = holderOf(w)
  if (holder === null) return null
  const value = w.expression()
  const [object] = holder.values
  if (value === null) return null
  const h = holder.text
  if (object instanceof Map)
    return lines(w.choices.of([`${h}.set('a', ${h}.get('a').add(1))`, `${h}.set('b', ${value})`]))
  if (object instanceof Set) return null
  if (Array.isArray(object)) return lines(w.choices.of([`${h}[0] = ${value}`, `${h}[0] = ${h}[0].add(1)`]))
  const key = Object.keys(object as object).find(
    name => (object as Record<string, unknown>)[name] instanceof PlainTensor,
  )
  if (key === undefined) return null
  const texts = [`${h}.${key} = ${h}.${key}.add(1)`, `${h}.${key} = ${value}`]
  if ('step' in (object as object)) texts.push(`${h}.step()`)
  return { ...lines(w.choices.of(texts)), uses: w.isOuter(holder) ? ['outerState'] : [] }
}

const growth = (w: Writer): Offer | null => {
  const holder = holderOf(w)
  const value = w.expression()
  if (holder === null || value === null) return null
  const [h, [object]] = [holder.text, holder.values]
  // Plain values outside of the arguments change when the function is traced, so only tensors are left there.
  if (w.isOuter(holder))
    return { ...lines(w.choices.of([`${h}.h = ${value}`, `${h}.cache ??= ${value}`])), uses: ['outerState'] }
  if (object instanceof Map)
    return lines(
      w.choices.of([
        `${h}.set('h', ${value})`,
        `${h}.set('h', (${h}.get('h') ?? zeros([])).add(1))`,
        `${h}.delete('c')`,
      ]),
    )
  if (object instanceof Set) return lines(`${h}.add(${value})`)
  if (Array.isArray(object)) return lines(w.choices.of([`${h}.push(${value})`, `${h}.shift()`]))
  return lines(
    w.choices.of([
      `${h}.h = ${value}`,
      `${h}.cache ??= ${value}`,
      `${h}.seen = (${h}.seen ?? zeros([])).add(1)`,
      `${h}.count = (${h}.count ?? 0) + 1`,
      `delete ${h}.c`,
    ]),
  )
}

const isVector = (x: PlainTensor): boolean => x.ndim === 1 && x.dtype === 'f32'

const kernel = (w: Writer): Offer | null => {
  const [x, y] = [w.tensor(isVector), w.tensor(isVector)]
  if (x === null || y === null) return null
  const out = w.name('out')
  return w.choices.of([
    {
      statements: [`const ${out} = zerosLike(${x.text})`, `scale.launch({ x: ${x.text}, out: ${out}, factor: 2 })`],
      defines: [out],
      uses: [],
    },
    lines(`accumulate.launch({ x: ${x.text}, acc: ${y.text} })`),
    lines(`evens.launch({ x: ${x.text}, out: ${y.text} })`),
  ])
}

export const statements: readonly StatementTemplate[] = [
  [40, w => declare(w, w.expression())],
  [4, sizesRead, 'sizes'],
  [4, w => declare(w, w.number(), 'n'), 'sizes'],
  [10, write, 'inPlace'],
  [3, read, 'reads'],
  [2, branch(onValue), 'reads'],
  [2, branch(onArgument), 'branches'],
  [2, caught, 'catches'],
  [2, w => (w.isSteady ? null : loop(w)), 'sizes'],
  [5, ownState, 'state'],
  [3, growth, 'newKeys'],
  [1, w => lines(`manualSeed(${w.choices.below(5)})`), 'random', 'seeds'],
  [4, kernel, 'kernels'],
]
