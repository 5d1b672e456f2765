/** The tape beside PyTorch's: small eager programs, and what PyTorch gives for the same ones (scripts/torch/autograd.py). */
import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, it } from 'vitest'
import { InternalError, TegulaError } from '../../src/base/errors.js'
import { enableGrad, gradients, inferenceMode, noGrad, type Tensor, tensor, zeros } from '../../src/index.js'
import { useInterpreter } from '../support/reference-executor.js'

type Value = Tensor | boolean | number | null
type Expected = { readonly gives: readonly unknown[] } | { readonly raises: string }

const file = new URL('autograd.json', import.meta.url)
const { cases } = JSON.parse(readFileSync(file, 'utf8')) as { readonly cases: Readonly<Record<string, Expected>> }

const t = (data: number | number[] | number[][], requiresGrad = false): Tensor =>
  tensor(data, { dtype: 'f64', requiresGrad })
const x3 = (): Tensor => t([1, 2, 3], true)
const flags = (...tensors: readonly Tensor[]): boolean[] => tensors.flatMap(x => [x.requiresGrad, x.isLeaf])

/** By PyTorch's names; each gives what its namesake in the script gives. */
const programs: Readonly<Record<string, () => readonly Value[]>> = {
  propagation() {
    const [x, c] = [x3(), t([1, 1, 1])]
    const [quiet, loud] = noGrad(() => [x.mul(2), enableGrad(() => x.mul(2))] as const)
    return flags(x, c, c.mul(2), x.mul(c), quiet, loud, x.detach(), x.gt(c), x.get(0), x.to('f32'), x.sum())
  },
  diamond() {
    const x = x3()
    const a = x.mul(2)
    const b = a.exp()
    b.add(a.mul(b)).add(a).sum().backward()
    return [x.grad]
  },
  shared_subgraph() {
    const x = x3()
    const shared = x.mul(x)
    shared.sum().backward({ retainGraph: true })
    const first = x.grad!.clone()
    shared.mul(3).sum().backward()
    return [first, x.grad]
  },
  accumulates_in_place() {
    const x = x3()
    x.mul(2).sum().backward()
    const { grad } = x
    x.mul(x).sum().backward()
    return [x.grad, grad, grad === x.grad]
  },
  same_gradient_to_two_leaves() {
    const [x, y] = [x3(), x3()]
    x.add(y).sum().backward()
    x.grad!.mul_(5)
    return [x.grad, y.grad]
  },
  unused_input() {
    const [x, y] = [x3(), x3()]
    x.mul(2).sum().backward()
    return [x.grad, y.grad]
  },
  unused_in_gradients() {
    const [x, y] = [x3(), x3()]
    return gradients(x.mul(2).sum(), [x, y], { allowUnused: true })
  },
  unused_in_gradients_raises() {
    const [x, y] = [x3(), x3()]
    return gradients(x.mul(2).sum(), [x, y])
  },
  non_scalar() {
    x3().mul(2).backward()
    return []
  },
  non_scalar_with_gradient() {
    const x = x3()
    x.mul(x).backward(t([1, 10, 100]))
    return [x.grad]
  },
  gradient_of_another_shape() {
    const x = x3()
    x.mul(x).backward(t([1, 10]))
    return [x.grad]
  },
  backward_of_a_leaf() {
    const x = t([3], true)
    x.backward()
    x.backward()
    return [x.grad]
  },
  requires_none() {
    t([3]).mul(2).backward()
    return []
  },
  second_backward() {
    const y = x3().mul(x3()).sum()
    y.backward()
    y.backward()
    return []
  },
  second_backward_without_saved() {
    const x = x3()
    const y = x.add(1).sum()
    y.backward()
    y.backward()
    return [x.grad]
  },
  second_backward_retained() {
    const x = x3()
    const y = x.mul(x).sum()
    y.backward({ retainGraph: true })
    y.backward()
    return [x.grad]
  },
  view_of_a_leaf() {
    const x = x3()
    const v = x.slice([1, null])
    v.mul(v).sum().backward()
    return [x.grad, ...flags(v)]
  },
  leaf_in_place() {
    x3().mul_(2)
    return []
  },
  view_of_leaf_in_place() {
    x3().get(0).mul_(2)
    return []
  },
  leaf_in_place_without_recording() {
    const x = x3()
    noGrad(() => {
      x.mul_(2)
      x.get(0).fill_(7)
    })
    x.mul(x).sum().backward()
    return [x, x.grad, ...flags(x)]
  },
  in_place_on_a_result() {
    const x = x3()
    const y = x.mul(2)
    y.mul_(y)
    y.add_(x)
    y.sum().backward()
    return [y, x.grad]
  },
  in_place_on_a_view() {
    const [x, w] = [x3(), t([10, 20], true)]
    const y = x.mul(2)
    y.slice([1, null]).mul_(w)
    y.sum().backward()
    return [y, x.grad, w.grad]
  },
  view_sees_change_of_base() {
    const x = x3()
    const y = x.mul(2)
    const v = y.slice([1, null])
    y.mul_(x)
    v.mul(v).sum().backward()
    return [v, x.grad]
  },
  view_sees_change_by_other_view() {
    const [x, w] = [x3(), t(5, true)]
    const y = x.mul(2)
    const [v, whole] = [y.slice([1, null]), y.view(3, 1)]
    v.get(0).mul_(w)
    whole.sum().backward()
    return [whole, x.grad, w.grad]
  },
  base_without_gradient() {
    const x = x3()
    const out = zeros([2, 3], { dtype: 'f64' })
    const before = flags(out)
    out.get(0).copy_(x.mul(x))
    out.get(1, 1).copy_(x.get(0))
    out.mul(out).sum().backward()
    return [...before, ...flags(out), out, x.grad]
  },
  fill_stops_gradients() {
    const x = x3()
    const y = x.mul(x)
    y.get(0).fill_(4)
    y.sum().backward()
    return [y, x.grad, ...flags(y)]
  },
  zero_of_everything() {
    const x = x3()
    const y = x.mul(x)
    y.zero_()
    y.sum().backward()
    return [x.grad, ...flags(y)]
  },
  copy_over_a_result() {
    const [x, w] = [x3(), x3()]
    const y = x.mul(x)
    y.copy_(w.mul(2))
    y.sum().backward()
    return [x.grad, w.grad]
  },
  copy_broadcasts() {
    const [x, w] = [x3(), t(2, true)]
    const y = x.mul(1)
    y.copy_(w)
    y.mul(y).sum().backward()
    return [x.grad, w.grad]
  },
  in_place_over_what_is_needed() {
    const y = x3().mul(2)
    const z = y.mul(y)
    y.add_(1)
    z.sum().backward()
    return []
  },
  in_place_over_what_is_not_needed() {
    const x = x3()
    const y = x.mul(2)
    const z = y.add(y)
    y.add_(1)
    z.sum().backward()
    return [x.grad]
  },
  detach_shares_the_version() {
    const y = x3().mul(2)
    const z = y.mul(y)
    y.detach().add_(1)
    z.sum().backward()
    return []
  },
  view_shares_the_version() {
    const y = x3().mul(2)
    const z = y.mul(y)
    noGrad(() => y.get(0).fill_(1))
    z.sum().backward()
    return []
  },
  change_before_the_use() {
    const x = x3()
    const y = x.mul(2)
    y.add_(1)
    y.mul(y).sum().backward()
    return [x.grad]
  },
  view_without_recording_in_place() {
    const y = x3().mul(2)
    const v = noGrad(() => y.get(0))
    v.mul_(2)
    return []
  },
  in_place_makes_it_require() {
    const [x, y] = [x3(), t([1, 1, 1])]
    y.mul_(x)
    y.sum().backward()
    return [...flags(y), x.grad]
  },
  stacked_views() {
    const x = t([[1, 2, 3], [4, 5, 6]], true) // biome-ignore format: one line
    const y = x.mul(1)
    y.t().slice([1, null]).reshape(2, 2).get(0).mul_(y.get(0, 0))
    y.mul(y).sum().backward()
    return [y, x.grad]
  },
  stacked_views_of_itself_copied() {
    const x = t([[1, 2, 3], [4, 5, 6]], true) // biome-ignore format: one line
    const y = x.mul(1)
    y.t().slice([1, null]).reshape(2, 2).get(0).mul_(y.get(0, 0).clone())
    y.mul(y).sum().backward()
    return [y, x.grad]
  },
  second_derivative() {
    const x = x3()
    const [g] = gradients(x.pow(3).sum(), x, { createGraph: true }) as [Tensor]
    const [h] = gradients(g.sum(), x, { createGraph: true }) as [Tensor]
    const [k] = gradients(h.sum(), x) as [Tensor]
    return [g, h, k, ...flags(g), ...flags(k)]
  },
  gradient_penalty() {
    const [x, w] = [x3(), t([0.5, -1, 2], true)]
    const [g] = gradients(x.mul(w).exp().mul(x).sum(), x, { createGraph: true }) as [Tensor]
    g.mul(g).sum().backward()
    return [g, x.grad, w.grad]
  },
  second_derivative_through_in_place() {
    const x = x3()
    const y = x.mul(x)
    y.slice([1, null]).mul_(x.slice([null, 2]))
    y.exp_()
    const [g] = gradients(y.sum(), x, { createGraph: true }) as [Tensor]
    const [h] = gradients(g.mul(x).sum(), x) as [Tensor]
    return [g, h]
  },
  create_graph_accumulates() {
    const x = x3()
    x.pow(3).sum().backward({ createGraph: true })
    const first = flags(x.grad!)
    x.grad!.mul(2).sum().backward()
    return [...first, x.grad]
  },
  gradients_of_results() {
    const x = x3()
    const y = x.mul(x)
    const z = y.exp()
    return gradients(z.sum(), [y, x, z])
  },
  gradients_of_several_outputs() {
    const x = x3()
    const y = x.mul(x)
    return gradients([y, y.mul(2).sum()], [x], { gradOutputs: [t([1, 2, 3]), t(0.5)] })
  },
  backward_with_inputs() {
    const [x, w] = [x3(), x3()]
    x.mul(w)
      .sum()
      .backward({ inputs: [w] })
    return [x.grad, w.grad]
  },
  hooks_in_order() {
    const x = x3()
    const y = x.mul(2)
    const seen: Tensor[] = []
    const note = (g: Tensor): undefined => {
      seen.push(g.clone())
    }
    y.registerHook(note)
    y.registerHook(g => g.mul(10))
    y.registerHook(note)
    const remove = x.registerHook(g => g.add(1))
    x.registerHook(note)
    const z = y.sum()
    z.backward({ retainGraph: true })
    remove()
    z.backward()
    return [...seen, x.grad]
  },
  hooks_when_all_has_arrived() {
    const [x, w] = [x3(), x3()]
    const a = x.mul(w)
    const b = a.mul(w)
    const order = noteOrder([x, w, a, b])
    b.add(w).sum().backward()
    return order.map(i => i + 1)
  },
  late_leaf_first() {
    const [x, w] = [x3(), x3()]
    const a = x.mul(2)
    const b = a.mul(3)
    const c = b.mul(w)
    const order = noteOrder([x, w, a, b, c])
    c.sum().backward()
    return order
  },
  retained_gradients() {
    const x = x3()
    const y = x.mul(x)
    y.registerHook(g => g.mul(2))
    for (const each of [y, y, x]) each.retainGrad()
    y.mul(3).sum().backward({ retainGraph: true })
    return [y.grad, x.grad]
  },
  retained_after_in_place() {
    const x = x3()
    const y = x.mul(x)
    y.retainGrad()
    y.mul_(2)
    y.mul(3).sum().backward()
    return [y.grad, x.grad]
  },
  detach_in_place() {
    const y = x3().mul(2)
    y.detach_()
    return flags(y)
  },
  detach_view_in_place() {
    x3().mul(2).get(0).detach_()
    return []
  },
  requires_grad_of_a_result() {
    x3().mul(2).requiresGrad_(false)
    return []
  },
  hook_without_gradient() {
    t([1]).registerHook(g => g)
    return []
  },
  retain_without_gradient() {
    t([1]).retainGrad()
    return []
  },
  inference_saved() {
    return [x3().mul(inferenceMode(() => t([1, 2, 3])))]
  },
  inference_not_saved() {
    const [x, c] = [x3(), inferenceMode(() => t([1, 2, 3]))]
    x.add(c).sum().backward()
    return [x.grad]
  },
  inference_in_place() {
    inferenceMode(() => t([1, 2, 3])).add_(1)
    return []
  },
  inference_of_leaf() {
    const x = x3()
    const y = inferenceMode(() => {
      const made = x.mul(2)
      x.mul_(3)
      return made
    })
    return [...flags(y), x]
  },
  stride_of_gradients() {
    const x = t([[1, 2], [3, 4]], true) // biome-ignore format: one line
    x.t()
      .sum(0)
      .mul(t([1, 10]))
      .sum()
      .backward()
    return [x.grad, x.grad!.isContiguous()]
  },
  gradient_to_other_dtype() {
    const x = tensor([1, 2], { requiresGrad: true })
    x.to('f64').mul(3).sum().backward()
    return [x.grad, x.grad!.dtype === 'f32']
  },
  assigned_grad_is_kept() {
    const [x, g] = [x3(), t([1, 1, 1])]
    x.grad = g
    x.mul(2).sum().backward()
    return [g, x.grad === g]
  },
  multiple_results() {
    const x = t([[3, 1], [2, 5]], true) // biome-ignore format: one line
    x.max(1)
      .values.mul(t([1, 10]))
      .sum()
      .backward()
    return [x.grad]
  },
  one_of_many_results() {
    const x = x3()
    x.mul(x).split(1)[1]!.sum().backward()
    return [x.grad]
  },
  chain_of_views_and_writes() {
    const x = x3()
    const state = zeros([4], { dtype: 'f64' })
    for (let i = 0; i < 3; i++) state.get(i + 1).copy_(state.get(i).clone().mul(x.get(i)).add(x.get(i)))
    state.sum().backward()
    return [state, x.grad]
  },
}

/** The positions of the tensors in the order in which gradients reach them. */
function noteOrder(tensors: readonly Tensor[]): number[] {
  const order: number[] = []
  for (const [i, each] of tensors.entries())
    each.registerHook(() => {
      order.push(i)
      return null
    })
  return order
}

/** What an in-place op needs of its own tensor is copied before: the right numbers where PyTorch raises. */
const moreThanPyTorch: Readonly<Record<string, readonly unknown[]>> = {
  in_place_on_a_result: [[5, 18, 39], [9, 17, 25]], // biome-ignore format: one line
  stacked_views: (cases.stacked_views_of_itself_copied as { readonly gives: readonly unknown[] }).gives,
}

const plain = (value: Value): unknown => (typeof value === 'object' && value !== null ? value.toArray() : value)

function expectClose(got: unknown, expected: unknown): void {
  if (Array.isArray(expected) && Array.isArray(got)) {
    expect(got.length).toBe(expected.length)
    for (const [i, each] of expected.entries()) expectClose(got[i], each)
  } else if (typeof expected === 'number')
    expect(got).toBeCloseTo(expected, 10 - Math.ceil(Math.log10(Math.abs(expected) + 1)))
  else expect(got).toEqual(expected)
}

beforeAll(() => {
  useInterpreter()
})

describe('as in PyTorch', () => {
  it('every case has a program', () => {
    expect(Object.keys(programs).sort()).toEqual(Object.keys(cases).sort())
  })

  for (const [name, expected] of Object.entries(cases))
    it(name.replaceAll('_', ' '), () => {
      const program = programs[name]!
      const more = moreThanPyTorch[name]
      if ('raises' in expected && more === undefined) {
        expect(program).toThrow(TegulaError)
        expect(program).not.toThrow(InternalError)
      } else expectClose(program().map(plain), more ?? (expected as { readonly gives: readonly unknown[] }).gives)
    })
})
