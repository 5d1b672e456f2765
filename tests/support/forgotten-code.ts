/** Runs eager gradients until they are optimised, then collects garbage while nothing of them is alive: tests/tensor/resident.slow.test.ts. */
import { gradients, ones, randn, scope } from 'tegula'

function program(width: number): void {
  const x = randn([5, width])
  x.requiresGrad = true
  const seed = ones([5, width])
  const call = (): void => {
    for (const gradient of scope(() => gradients(x.exp(), [x], { gradOutputs: seed }))) gradient.dispose()
  }
  for (let i = 0; i < 10_000; i++) call()
  x.dispose()
  seed.dispose()
}

for (let i = 0; i < 4; i++) {
  program(4 + i)
  await new Promise(resolve => setImmediate(resolve))
  console.log('collecting')
  globalThis.gc!()
  console.log('collected')
}
