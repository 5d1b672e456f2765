"""Reference data for tests/torch/autograd.test.ts: what PyTorch's tape gives for small eager programs, in float64.

    python3 scripts/torch/autograd.py > tests/torch/autograd.json    # needs torch, CPU only; a second

Each function below is a case. It returns a list of tensors, booleans, numbers and None; a case that raises is written down as
"raises". The test runs programs of the same names.
"""
import json

import torch


def t(data, grad=False):
    return torch.tensor(data, dtype=torch.float64, requires_grad=grad)


def x3():
    return t([1.0, 2.0, 3.0], True)


def flags(*tensors):
    return [flag for x in tensors for flag in (x.requires_grad, x.is_leaf)]


def propagation():
    x, c = x3(), t([1.0, 1.0, 1.0])
    with torch.no_grad():
        quiet = x * 2
        with torch.enable_grad():
            loud = x * 2
    return flags(x, c, c * 2, x * c, quiet, loud, x.detach(), x > c, x[0], x.to(torch.float32), x.sum())


def diamond():
    x = x3()
    a = x * 2
    b = a.exp()
    c = a * b
    (b + c + a).sum().backward()
    return [x.grad]


def shared_subgraph():
    x = x3()
    shared = x * x
    shared.sum().backward(retain_graph=True)
    first = x.grad.clone()
    (shared * 3).sum().backward()
    return [first, x.grad]


def accumulates_in_place():
    x = x3()
    (x * 2).sum().backward()
    grad = x.grad
    (x * x).sum().backward()
    return [x.grad, grad, grad is x.grad]


def same_gradient_to_two_leaves():
    x, y = x3(), x3()
    (x + y).sum().backward()
    x.grad.mul_(5)
    return [x.grad, y.grad]


def unused_input():
    x, y = x3(), x3()
    (x * 2).sum().backward()
    return [x.grad, y.grad]


def unused_in_gradients():
    x, y = x3(), x3()
    return list(torch.autograd.grad((x * 2).sum(), [x, y], allow_unused=True))


def unused_in_gradients_raises():
    x, y = x3(), x3()
    return list(torch.autograd.grad((x * 2).sum(), [x, y]))


def non_scalar():
    x3().mul(2).backward()
    return []


def non_scalar_with_gradient():
    x = x3()
    (x * x).backward(t([1.0, 10.0, 100.0]))
    return [x.grad]


def gradient_of_another_shape():
    x = x3()
    (x * x).backward(t([1.0, 10.0]))
    return [x.grad]


def backward_of_a_leaf():
    x = t([3.0], True)
    x.backward()
    x.backward()
    return [x.grad]


def requires_none():
    t([3.0]).mul(2).backward()
    return []


def second_backward():
    y = (x3() * x3()).sum()
    y.backward()
    y.backward()
    return []


def second_backward_without_saved():
    x = x3()
    y = (x + 1).sum()
    y.backward()
    y.backward()
    return [x.grad]


def second_backward_retained():
    x = x3()
    y = (x * x).sum()
    y.backward(retain_graph=True)
    y.backward()
    return [x.grad]


def view_of_a_leaf():
    x = x3()
    v = x[1:]
    (v * v).sum().backward()
    return [x.grad, *flags(v)]


def leaf_in_place():
    x = x3()
    x.mul_(2)
    return []


def view_of_leaf_in_place():
    x = x3()
    x[0].mul_(2)
    return []


def leaf_in_place_without_recording():
    x = x3()
    with torch.no_grad():
        x.mul_(2)
        x[0] = 7.0
    (x * x).sum().backward()
    return [x, x.grad, *flags(x)]


def in_place_on_a_result():
    x = x3()
    y = x * 2
    y.mul_(y)
    y.add_(x)
    y.sum().backward()
    return [y, x.grad]


def in_place_on_a_view():
    x, w = x3(), t([10.0, 20.0], True)
    y = x * 2
    y[1:].mul_(w)
    y.sum().backward()
    return [y, x.grad, w.grad]


def view_sees_change_of_base():
    x = x3()
    y = x * 2
    v = y[1:]
    y.mul_(x)
    (v * v).sum().backward()
    return [v, x.grad]


def view_sees_change_by_other_view():
    x, w = x3(), t(5.0, True)
    y = x * 2
    v, whole = y[1:], y.view(3, 1)
    v[0].mul_(w)
    whole.sum().backward()
    return [whole, x.grad, w.grad]


def base_without_gradient():
    x = x3()
    out = torch.zeros(2, 3, dtype=torch.float64)
    before = flags(out)
    out[0] = x * x
    out[1, 1] = x[0]
    (out * out).sum().backward()
    return [*before, *flags(out), out, x.grad]


def fill_stops_gradients():
    x = x3()
    y = x * x
    y[0].fill_(4.0)
    y.sum().backward()
    return [y, x.grad, *flags(y)]


def zero_of_everything():
    x = x3()
    y = x * x
    y.zero_()
    y.sum().backward()
    return [x.grad, *flags(y)]


def copy_over_a_result():
    x, w = x3(), x3()
    y = x * x
    y.copy_(w * 2)
    y.sum().backward()
    return [x.grad, w.grad]


def copy_broadcasts():
    x, w = x3(), t(2.0, True)
    y = x * 1
    y.copy_(w)
    (y * y).sum().backward()
    return [x.grad, w.grad]


def in_place_over_what_is_needed():
    x = x3()
    y = x * 2
    z = y * y
    y.add_(1)
    z.sum().backward()
    return []


def in_place_over_what_is_not_needed():
    x = x3()
    y = x * 2
    z = y + y
    y.add_(1)
    z.sum().backward()
    return [x.grad]


def detach_shares_the_version():
    x = x3()
    y = x * 2
    z = y * y
    y.detach().add_(1)
    z.sum().backward()
    return []


def view_shares_the_version():
    x = x3()
    y = x * 2
    z = y * y
    with torch.no_grad():
        y[0] = 1.0
    z.sum().backward()
    return []


def change_before_the_use():
    x = x3()
    y = x * 2
    y.add_(1)
    z = y * y
    z.sum().backward()
    return [x.grad]


def view_without_recording_in_place():
    x = x3()
    y = x * 2
    with torch.no_grad():
        v = y[0]
    v.mul_(2)
    return []


def in_place_makes_it_require():
    x, y = x3(), t([1.0, 1.0, 1.0])
    y.mul_(x)
    y.sum().backward()
    return [*flags(y), x.grad]


def stacked_views():
    x = t([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], True)
    y = x * 1
    y.t()[1:].reshape(2, 2)[0].mul_(y[0, 0])
    (y * y).sum().backward()
    return [y, x.grad]


def stacked_views_of_itself_copied():
    x = t([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], True)
    y = x * 1
    y.t()[1:].reshape(2, 2)[0].mul_(y[0, 0].clone())
    (y * y).sum().backward()
    return [y, x.grad]


def second_derivative():
    x = x3()
    (g,) = torch.autograd.grad((x ** 3).sum(), x, create_graph=True)
    (h,) = torch.autograd.grad(g.sum(), x, create_graph=True)
    (k,) = torch.autograd.grad(h.sum(), x)
    return [g, h, k, *flags(g), *flags(k)]


def gradient_penalty():
    x, w = x3(), t([0.5, -1.0, 2.0], True)
    (g,) = torch.autograd.grad(((x * w).exp() * x).sum(), x, create_graph=True)
    (g * g).sum().backward()
    return [g, x.grad, w.grad]


def second_derivative_through_in_place():
    x = x3()
    y = x * x
    y[1:].mul_(x[:2])
    y.exp_()
    (g,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    (h,) = torch.autograd.grad((g * x).sum(), x)
    return [g, h]


def create_graph_accumulates():
    x = x3()
    (x ** 3).sum().backward(create_graph=True)
    first = flags(x.grad)
    (x.grad * 2).sum().backward()
    return [*first, x.grad]


def gradients_of_results():
    x = x3()
    y = x * x
    z = y.exp()
    return list(torch.autograd.grad(z.sum(), [y, x, z]))


def gradients_of_several_outputs():
    x = x3()
    y = x * x
    return list(torch.autograd.grad([y, (y * 2).sum()], [x], [t([1.0, 2.0, 3.0]), t(0.5)]))


def backward_with_inputs():
    x, w = x3(), x3()
    (x * w).sum().backward(inputs=[w])
    return [x.grad, w.grad]


def hooks_in_order():
    x = x3()
    y = x * 2
    seen = []
    y.register_hook(lambda g: seen.append(g.clone()))
    y.register_hook(lambda g: g * 10)
    y.register_hook(lambda g: seen.append(g.clone()))
    handle = x.register_hook(lambda g: g + 1)
    x.register_hook(lambda g: seen.append(g.clone()))
    z = y.sum()
    z.backward(retain_graph=True)
    handle.remove()
    z.backward()
    return [*seen, x.grad]


def hooks_when_all_has_arrived():
    x, w = x3(), x3()
    order = []
    a = x * w
    b = a * w
    x.register_hook(lambda g: order.append(1))
    w.register_hook(lambda g: order.append(2))
    a.register_hook(lambda g: order.append(3))
    b.register_hook(lambda g: order.append(4))
    (b + w).sum().backward()
    return order


def late_leaf_first():
    x, w = x3(), x3()
    order = []
    a = x * 2
    b = a * 3
    c = b * w
    for i, each in enumerate([x, w, a, b, c]):
        each.register_hook(lambda g, i=i: order.append(i))
    c.sum().backward()
    return order


def retained_gradients():
    x = x3()
    y = x * x
    y.register_hook(lambda g: g * 2)
    y.retain_grad()
    y.retain_grad()
    x.retain_grad()
    (y * 3).sum().backward(retain_graph=True)
    return [y.grad, x.grad]


def retained_after_in_place():
    x = x3()
    y = x * x
    y.retain_grad()
    y.mul_(2)
    (y * 3).sum().backward()
    return [y.grad, x.grad]


def detach_in_place():
    x = x3()
    y = x * 2
    y.detach_()
    return flags(y)


def detach_view_in_place():
    x = x3()
    y = (x * 2)[0]
    y.detach_()
    return []


def requires_grad_of_a_result():
    y = x3() * 2
    y.requires_grad_(False)
    return []


def hook_without_gradient():
    t([1.0]).register_hook(lambda g: g)
    return []


def retain_without_gradient():
    t([1.0]).retain_grad()
    return []


def inference_saved():
    with torch.inference_mode():
        c = t([1.0, 2.0, 3.0])
    return [x3() * c]


def inference_not_saved():
    with torch.inference_mode():
        c = t([1.0, 2.0, 3.0])
    x = x3()
    (x + c).sum().backward()
    return [x.grad]


def inference_in_place():
    with torch.inference_mode():
        c = t([1.0, 2.0, 3.0])
    c.add_(1)
    return []


def inference_of_leaf():
    x = x3()
    with torch.inference_mode():
        y = x * 2
        x.mul_(3)
    return [*flags(y), x]


def stride_of_gradients():
    x = t([[1.0, 2.0], [3.0, 4.0]], True)
    x.t().sum(0).mul(t([1.0, 10.0])).sum().backward()
    return [x.grad, x.grad.is_contiguous()]


def gradient_to_other_dtype():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x.double() * 3).sum().backward()
    return [x.grad.double(), x.grad.dtype == torch.float32]


def assigned_grad_is_kept():
    x = x3()
    g = t([1.0, 1.0, 1.0])
    x.grad = g
    (x * 2).sum().backward()
    return [g, x.grad is g]


def multiple_results():
    x = t([[3.0, 1.0], [2.0, 5.0]], True)
    values, _ = x.max(1)
    (values * t([1.0, 10.0])).sum().backward()
    return [x.grad]


def one_of_many_results():
    x = x3()
    parts = (x * x).split(1)
    parts[1].sum().backward()
    return [x.grad]


def chain_of_views_and_writes():
    x = x3()
    state = torch.zeros(4, dtype=torch.float64)
    for i in range(3):
        state[i + 1] = state[i].clone() * x[i] + x[i]
    state.sum().backward()
    return [state, x.grad]


def written(value):
    if isinstance(value, torch.Tensor):
        return value.detach().tolist()
    return value


cases = {}
for name, case in list(globals().items()):
    if callable(case) and getattr(case, '__module__', None) == '__main__' and name not in ('t', 'x3', 'flags', 'written'):
        try:
            cases[name] = {'gives': [written(value) for value in case()]}
        except (RuntimeError, TypeError) as error:
            cases[name] = {'raises': str(error).split('\n')[0][:120]}
print(json.dumps({'torch': torch.__version__, 'cases': cases}, indent=1))
