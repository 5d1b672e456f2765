/**
 * One start of a program that runs the GPT-2 blocks on a GPU: the time of the first compiled call until its result. Run in
 * its own process with TEGULA_CACHE_DIR set: an empty folder measures a cold compile, the same folder again a second
 * process.
 */
import { compile, randn } from 'tegula'
import { gpt2, layers, randomBlock, width } from './gpt2.js'

const x = randn([1, width], { device: 'cuda' }).to('bf16')
const blocks = Array.from({ length: layers }, () => randomBlock('cuda'))
x.add(0).dataSync()
const f = compile(gpt2, { mode: 'reduce-overhead' })
const start = performance.now()
f(x, blocks).dataSync()
const first = performance.now()
f(x, blocks).dataSync()
process.stdout.write(JSON.stringify({ firstCallMs: first - start, secondCallMs: performance.now() - first }))
