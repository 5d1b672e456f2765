/** Saved state: PyTorch's layout and values, the same trajectory after loading, and errors that change nothing. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ArgumentError, CaptureError, compile, ShapeError, scope, Tensor, tensor, zeros } from '../../src/index.js'
import { Adam, AdamW, GradScaler, Muon, type OptimizerStateDict, RMSprop, SGD } from '../../src/optim/index.js'
import { interpretedWhenQuick } from '../support/interpreted.js'
import { reference, type Trajectory } from './reference.js'
import { distance, makeOptimizer, setGrads, startParams, weightsOf } from './train.js'

interpretedWhenQuick()

beforeEach(() => void vi.stubEnv('TEGULA_BACKEND', 'interpreter'))
afterEach(() => void vi.unstubAllEnvs())

type Plain = Readonly<Record<string, Readonly<Record<string, readonly number[] | number | null>>>>

const plainState = ({ state }: OptimizerStateDict): Plain =>
  Object.fromEntries(
    Object.entries(state).map(([i, fields]) => [
      i,
      Object.fromEntries(
        Object.entries(fields as Readonly<Record<string, Tensor | number | null>>).map(([name, value]) => [
          name,
          value instanceof Tensor ? [...value.to('f64').dataSync('f64')] : value,
        ]),
      ),
    ]),
  )

/** A copy that later steps do not change. */
const cloned = (saved: OptimizerStateDict): OptimizerStateDict => ({
  state: Object.fromEntries(
    Object.entries(saved.state).map(([i, fields]) => [
      i,
      Object.fromEntries(
        Object.entries(fields as Readonly<Record<string, Tensor>>).map(([name, value]) => [name, value.clone()]),
      ),
    ]),
  ),
  param_groups: saved.param_groups,
})

const withState = reference.trajectories.filter(({ state }) => state !== undefined)

describe.each(withState.map((one): [string, Trajectory] => [one.optimiser, one]))('%s', (_, one) => {
  it("has PyTorch's state after twelve steps, and loads it", () => {
    const params = startParams()
    const optimizer = makeOptimizer(one, params)
    for (let t = 0; t < 12; t++) {
      setGrads(params, t, one.missing)
      optimizer.step()
    }
    const wanted = one.state!
    const found = plainState(optimizer.stateDict())
    expect(Object.keys(found)).toEqual(['0', '1', '2'])
    for (const [i, fields] of Object.entries(wanted.state)) {
      expect(Object.keys(found[i]!).sort()).toEqual(Object.keys(fields).sort())
      for (const [name, value] of Object.entries(fields))
        expect(distance([found[i]![name] as number[]], [[value].flat() as number[]]), `${name} of ${i}`).toBeLessThan(
          1e-11,
        )
    }
    const [{ params: numbers, ...options }] = optimizer.stateDict().param_groups as [{ params: readonly number[] }]
    expect(numbers).toEqual([0, 1, 2])
    // What torch 1.13 lacks is off.
    const later = { maximize: false, decoupled_weight_decay: false }
    expect({ ...later, ...wanted.param_groups[0] }).toMatchObject(options)

    const other = makeOptimizer(one, startParams())
    const state = Object.fromEntries(
      Object.entries(wanted.state).map(([i, fields]) => [
        i,
        Object.fromEntries(
          Object.entries(fields).map(([name, value]) => {
            const shape = ['step', 'mu_product', 'eta', 'mu'].includes(name) ? [] : params[Number(i)]!.shape
            return [name, tensor([value].flat() as number[], { dtype: 'f64' }).reshape(shape)]
          }),
        ),
      ]),
    )
    other.loadStateDict({ state, param_groups: wanted.param_groups } as unknown as OptimizerStateDict)
    expect(plainState(other.stateDict())).toEqual(
      plainState({ state, param_groups: [] } as unknown as OptimizerStateDict),
    )
  })
})

const resumed = ['SGD: dampening', 'Adam: amsgrad', 'AdamW: groups', 'Muon: as AdamW']
const continued = reference.trajectories.filter(one => resumed.includes(`${one.optimiser}: ${one.name}`))

describe.each(continued.map((one): [string, Trajectory] => [`${one.optimiser}: ${one.name}`, one]))('%s', (_, one) => {
  it('continues the trajectory from the middle, in a compiled step too, which stays as it is', () => {
    const params = startParams()
    const first = makeOptimizer(one, params)
    for (let t = 0; t < 6; t++) {
      setGrads(params, t)
      first.step()
    }
    const state = cloned(first.stateDict())
    const middle = weightsOf(params)
    const second = makeOptimizer({ ...one, options: { ...one.options, lr: 7 } }, params)
    const step = compile((grads: readonly Tensor[]) => {
      for (const [i, grad] of grads.entries()) params[i]!.grad = grad
      second.step()
      second.zeroGrad()
    })
    // Steps that loading makes undone.
    setGrads(params, 0)
    step(params.map(param => param.grad!))
    for (const [i, param] of params.entries()) param.copy_(tensor(middle[i]!, { dtype: 'f64' }).reshape(param.shape))
    second.loadStateDict(state)
    for (let t = 6; t < 12; t++) {
      setGrads(params, t)
      step(params.map(param => param.grad!))
    }
    expect(distance(weightsOf(params), one.weights['12']!)).toBeLessThan(1e-11)
    expect(step.stats().compiles).toBe(1)
  })
})

const made = (): { readonly param: Tensor; readonly optimizer: Adam } => {
  const param = tensor([1, 2])
  const optimizer = new Adam([param])
  param.grad = tensor([1, -1])
  optimizer.step()
  return { param, optimizer }
}

describe('state', () => {
  it('is that of steps made, and empty before', () => {
    const optimizer = new Adam([zeros([2])])
    expect(optimizer.stateDict()).toEqual({
      state: {},
      param_groups: [
        { lr: 0.001, betas: [0.9, 0.999], eps: 1e-8, weight_decay: 0, amsgrad: false, maximize: false, params: [0] },
      ],
    })
  })

  it('loading an earlier one makes later steps undone', () => {
    const { param, optimizer } = made()
    optimizer.loadStateDict({ ...optimizer.stateDict(), state: {} })
    expect(optimizer.stateDict().state).toEqual({})
    param.copy_(tensor([1, 2]))
    optimizer.step()
    const { param: wanted } = made()
    expect(param.toArray()).toEqual(wanted.toArray())
  })

  it('of SGD without momentum has no entries; null stands for none, as in PyTorch', () => {
    const param = tensor([1])
    const optimizer = new SGD([param])
    param.grad = tensor([1])
    optimizer.step()
    expect(optimizer.stateDict().state).toEqual({})
    const { param_groups } = optimizer.stateDict()
    optimizer.loadStateDict({ state: { 0: { momentum_buffer: null } }, param_groups })
  })

  it('takes over the options that are numbers', () => {
    const { optimizer } = made()
    const other = new Adam([zeros([2])], { lr: 0.5, betas: [0.1, 0.2] })
    other.loadStateDict(optimizer.stateDict())
    expect(other.paramGroups[0]).toMatchObject({ lr: 0.001, betas: [0.9, 0.999] })
  })

  const wrong: readonly (readonly [string, (saved: OptimizerStateDict) => unknown, RegExp])[] = [
    ['nothing', () => null, /Adam: the state is null, without state and param_groups/],
    ['groups', saved => ({ ...saved, param_groups: [] }), /has 0 parameter groups, this optimiser 1/],
    ['other parameters', saved => change(saved, { params: [0, 1] }), /group 0 .* has 2 parameters, .* has 1/],
    ['an option of another kind', saved => change(saved, { momentum: 1 }), /an option momentum, which Adam has not/],
    ['an option out of range', saved => change(saved, { lr: -1 }), /lr is the number -1/],
    ['another amsgrad', saved => change(saved, { amsgrad: true }), /amsgrad the boolean true, this optimiser's is/],
    ['a stray parameter', saved => ({ ...saved, state: { 3: saved.state[0] } }), /a parameter 3, which is in none/],
    ['a missing entry', saved => entry(saved, { exp_avg: undefined }), /exp_avg of parameter 0 is undefined/],
    ['an entry that is unknown', saved => entry(saved, { sum: zeros([2]) }), /parameter 0 has sum/],
    ['a number', saved => entry(saved, { exp_avg: 1 }), /exp_avg of parameter 0 is the number 1, not a tensor/],
    [
      'integers',
      saved => entry(saved, { exp_avg: zeros([2], { dtype: 'i64' }) }),
      /is i64\[2\], not a tensor of floats/,
    ],
    ['steps', saved => entry(saved, { step: 0.5 }), /step of parameter 0 is the number 0.5/],
  ]
  const change = (saved: OptimizerStateDict, options: object): object => ({
    ...saved,
    param_groups: [{ ...saved.param_groups[0], ...options }],
  })
  const entry = (saved: OptimizerStateDict, fields: object): object => ({
    ...saved,
    state: { 0: { ...saved.state[0], ...fields } },
  })

  it.each(wrong)('an error for %s leaves all as it was', (_, spoil, message) => {
    const { optimizer } = made()
    const before = plainState(optimizer.stateDict())
    const given = change(optimizer.stateDict(), { lr: 0.125 }) as OptimizerStateDict
    const spoilt = spoil(given) as OptimizerStateDict
    expect(() => optimizer.loadStateDict(spoilt)).toThrow(ArgumentError)
    expect(() => optimizer.loadStateDict(spoilt)).toThrow(message)
    expect(plainState(optimizer.stateDict())).toEqual(before)
    expect(optimizer.paramGroups[0]!.lr).toBe(0.001)
  })

  it('of another shape names it', () => {
    const { optimizer } = made()
    const state = { 0: { ...optimizer.stateDict().state[0], exp_avg: zeros([3]) } }
    const load = (): void => optimizer.loadStateDict({ ...optimizer.stateDict(), state })
    expect(load).toThrow(ShapeError)
    expect(load).toThrow(/exp_avg of parameter 0 is f32\[3\], the parameter f32\[2\]/)
  })
})

describe('groups', () => {
  const wrong: readonly (readonly [string, () => unknown, RegExp])[] = [
    ['no list', () => new SGD(zeros([1]) as never), /SGD: the parameters are f32\[1\].*pass a list/s],
    ['nothing', () => new SGD([]), /there are no parameters/],
    ['an empty group', () => new SGD([{ params: [] }]), /a group has no parameters/],
    ['no tensor', () => new SGD([{ params: [3 as never] }]), /the number 3 is no parameter/],
    ['integers', () => new SGD([zeros([1], { dtype: 'i64' })]), /i64\[1\] is no parameter/],
    ['mixed', () => new SGD([zeros([1]), { params: [] }] as never), /among the parameter groups is/],
    ['twice', () => twice(), /f32\[1\] is given twice/],
    ['an unknown option', () => new Adam([zeros([1])], { momentum: 1 } as object), /Adam: no option 'momentum'/],
    ['a rate below 0', () => new Adam([zeros([1])], { lr: -0.1 }), /Adam: lr is the number -0.1.*at least 0/s],
    ['betas', () => new AdamW([zeros([1])], { betas: [0.9, 1] }), /AdamW: betas is \[0.9, 1\]/],
    ['nesterov alone', () => new SGD([zeros([1])], { nesterov: true }), /nesterov with momentum 0/],
    ['a vector for Muon', () => new Muon([{ params: [zeros([1])], useMuon: true }]), /useMuon of f32\[1\]/],
    ['options of AdamW', () => new Muon([zeros([1])], { adamw: { beta: 1 } as object }), /adamw: no option 'beta'/],
  ]
  const twice = (): SGD => {
    const param = zeros([1])
    return new SGD([{ params: [param] }, { params: param }])
  }
  it.each(wrong)('an error for %s', (_, call, message) => {
    expect(call).toThrow(ArgumentError)
    expect(call).toThrow(message)
  })

  it('a group that is refused is not added', () => {
    const param = zeros([1])
    const optimizer = new SGD([param])
    expect(() => optimizer.addParamGroup({ params: zeros([2]), lr: -1 })).toThrow(ArgumentError)
    expect(optimizer.paramGroups).toHaveLength(1)
    const next = zeros([2])
    expect(() => optimizer.addParamGroup({ params: [next, param] })).toThrow(/given twice/)
    optimizer.addParamGroup({ params: next, lr: 3 })
    expect(optimizer.paramGroups.map(({ lr, params }) => [lr, params.length])).toEqual([
      [0.001, 1],
      [3, 1],
    ])
  })

  it('numbers can be set, what decides the code cannot', () => {
    const [group] = new RMSprop([zeros([1])]).paramGroups
    group!.alpha = 0.5
    expect(group!.alpha).toBe(0.5)
    expect(() => Object.assign(group!, { alpha: -1 })).toThrow(/RMSprop: alpha is the number -1/)
    expect(() => Object.assign(group!, { centered: true })).toThrow(/centered cannot change/)
    expect(() => Object.assign(group!, { momentum: 0.9 })).toThrow(
      /momentum becomes 0.9, but was made without momentum/,
    )
    expect(() => Object.assign(group!, { rate: 1 })).toThrow(TypeError)
  })

  it('Muon has matrices in one group and the rest in another', () => {
    const matrices = [zeros([2, 2]), zeros([3, 1])]
    const rest = [zeros([2]), zeros([1, 1, 1])]
    const optimizer = new Muon([matrices[0]!, rest[0]!, matrices[1]!, rest[1]!], { lr: 0.5, adamw: { eps: 1e-3 } })
    expect(optimizer.paramGroups.map(({ params }) => params.map(({ shape }) => shape))).toEqual([
      [
        [2, 2],
        [3, 1],
      ],
      [[2], [1, 1, 1]],
    ])
    const [ours, others] = optimizer.stateDict().param_groups
    expect(ours).toMatchObject({ lr: 0.5, weight_decay: 0.1, momentum: 0.95, eps: 1e-7, params: [0, 1] })
    expect(others).toMatchObject({ lr: 0.5, weight_decay: 0.1, betas: [0.9, 0.999], eps: 1e-3, params: [2, 3] })
  })
})

describe('steps', () => {
  it('with a closure give its loss', () => {
    const param = tensor([2])
    const optimizer = new SGD([param], { lr: 0.5 })
    const loss = optimizer.step(() => {
      param.grad = tensor([1])
      return 'the loss'
    })
    expect(loss).toBe('the loss')
    expect(param.toArray()).toEqual([1.5])
  })

  it('zeroGrad drops gradients, or sets them to 0', () => {
    const param = tensor([2])
    const optimizer = new SGD([param])
    const grad = tensor([1])
    param.grad = grad
    optimizer.zeroGrad({ setToNull: false })
    expect(param.grad).toBe(grad)
    expect(grad.toArray()).toEqual([0])
    optimizer.zeroGrad()
    expect(param.grad).toBe(null)
  })

  it('without any gradient warn, once, and count no step', () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
    const optimizer = new Adam([tensor([2])])
    optimizer.step()
    optimizer.step()
    expect(warn.mock.calls).toEqual([
      [expect.stringContaining('Adam.step(): no parameter has a gradient'), 'TegulaWarning'],
    ])
    expect(optimizer.stateDict().state).toEqual({})
    warn.mockRestore()
  })

  it('16-bit parameters are updated in f32 and rounded once', () => {
    const param = tensor([1], { dtype: 'bf16' })
    const optimizer = new SGD([param], { lr: 1, weightDecay: 2 ** -9 })
    param.grad = tensor([1], { dtype: 'bf16' })
    optimizer.step()
    // In bf16, 1 + 2^-9 would be 1.
    expect(param.toArray()).toEqual([-(2 ** -9)])
  })

  it('set numbers inside of a compiled function is refused; reading them there is a graph break', () => {
    const optimizer = new SGD([tensor([2])], { lr: 0.5 })
    const set = compile((x: Tensor) => {
      optimizer.paramGroups[0]!.lr = 3
      return x.add(1)
    })
    expect(() => set(tensor([1]))).toThrow(CaptureError)
    expect(optimizer.paramGroups[0]!.lr).toBe(0.5)
    const read = compile((x: Tensor) => x.mul(optimizer.paramGroups[0]!.lr))
    expect(read(tensor([1])).toArray()).toEqual([0.5])
    optimizer.paramGroups[0]!.lr = 2
    expect(read(tensor([1])).toArray()).toEqual([2])
  })
})

describe('a step that cannot be made', () => {
  it('changes nothing', () => {
    const leaf = (values: number[]): Tensor => tensor(values, { dtype: 'f64' }).requiresGrad_()
    const [a, b] = [leaf([1, 2]), leaf([3, 4])]
    const optimizer = new Adam([{ params: [a] }, { params: [b] }])
    const scaler = new GradScaler({ initScale: 4 })
    const backward = (): void => a.mul(2).sum().add(b.mul(3).sum()).backward()
    backward()
    optimizer.step()
    const before = [a.toArray(), plainState(optimizer.stateDict())]
    const { grad } = b
    grad!.dispose()
    expect(() => optimizer.step()).toThrow(/Adam.step: the gradient of a parameter, .* was disposed/)
    expect(() => scaler.step(optimizer)).toThrow(/GradScaler.step: a gradient, .* was disposed/)
    expect([a.toArray(), plainState(optimizer.stateDict())]).toEqual(before)
    expect(a.grad!.toArray()).toEqual([2, 2])
  })
})

it('what an optimiser makes in its first step outlives the scope that the step is in', () => {
  const params = [zeros([2, 3]), zeros([4])].map(param => param.requiresGrad_())
  const optimizer = new SGD(params, { lr: 1, momentum: 0.5 })
  for (const _ of [1, 2, 3]) {
    scope(() => {
      for (const param of params) param.grad = param.detach().mul(0).add(1)
      optimizer.step()
      optimizer.zeroGrad()
    })
  }
  expect(params.map(param => param.toArray()).flat(2)).toEqual(Array(10).fill(-(1 + 1.5 + 1.75)))
})
