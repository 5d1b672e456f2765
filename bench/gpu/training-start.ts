/** One start of a training program on a GPU: `training-start.ts CASE`; prints what `StartedTraining` says. TEGULA_CACHE_DIR as in gpt2-start.ts. */
import { compile, manualSeed, setDefaultDevice, zeros } from 'tegula'
import { cudaDevice } from '../../src/runtime/cuda/device.js'
import { DeviceTimer } from './timing.js'
import { trainingOf } from './training-cases.js'

const name = process.argv[2]!
setDefaultDevice('cuda')
manualSeed(0)
const { step, inputs } = trainingOf(name)
zeros([1]).dataSync()
const { allocator } = cudaDevice()
allocator.collect() // what making the model left
allocator.resetPeaks()
const compiled = compile(step, { mode: 'reduce-overhead', fullgraph: true })
const start = performance.now()
const losses = [compiled(...inputs).itemSync()]
const firstCallMs = performance.now() - start
for (let i = 0; i < 2; i++) losses.push(compiled(...inputs).itemSync())
const { peakAllocatedBytes: peakBytes } = allocator.stats()
const timer = new DeviceTimer()
const run = (): void => compiled(...inputs).dispose()
const us = timer.time(run, { flush: false })
const throughputUs = timer.throughput(run, 20)
process.stdout.write(JSON.stringify({ firstCallMs, us, throughputUs, peakBytes, losses }))
