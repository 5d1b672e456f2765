import { compile, tensor, type Tensor } from './src/index.js'
const w = tensor([[0.5, -1], [2, 0.25], [1, 1]], { dtype: 'f64' }).requiresGrad_()
const x = tensor([[1, 2, 3], [-1, 0.5, 2]], { dtype: 'f64' })
const f = compile((x: Tensor) => { const l = x.matmul(w).tanh().square().mean(); l.backward(); return l })
console.log(f(x).itemSync(), w.grad?.toString())
const ex = f.explain(x)
console.log(ex.segments[0]!.graph, '\n', ex.segments[0]!.optimised)
console.log(String(ex).slice(0, 3000))
