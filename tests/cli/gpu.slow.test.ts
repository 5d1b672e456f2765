/** The command line with a GPU: the stand-in for libcuda, which runs no kernel that Tegula generates. */
import { afterAll, describe, expect, it } from 'vitest'
import { openFake, skipReason } from '../runtime/cuda/support.js'
import { commandLine } from './run.js'

const fake = openFake()
const cli = commandLine()
afterAll(() => {
  cli.remove()
  fake?.close()
})

const module = `
  import { empty, type Tensor } from '${new URL('../../src/index.ts', import.meta.url).href}'
  export default (x: Tensor, b: Tensor): Tensor => x.mul(b).softmax(-1)
  export const inputs = [empty([64, 32], { device: 'cuda' }), empty([32], { device: 'cuda' })]
`

describe.skipIf(fake === null)(`with a GPU (${skipReason})`, () => {
  const env = { TEGULA_LIBCUDA: fake?.path ?? '' }

  it('devices lists the GPU, with limits measured now', () => {
    const { status, data } = cli.json<{ devices: Record<string, unknown>[] }>(['devices'], env)
    expect(status).toBe(0)
    expect(data.devices[1]).toMatchObject({
      device: 'cuda:0',
      model: 'Fake GPU 0',
      multiprocessors: 132,
      computeCapability: '9.0',
      architecture: 'sm_90a',
      driver: '13.0',
      measured: { copyBytesPerNanosecond: expect.any(Number), launchNanoseconds: expect.any(Number) },
    })
    const { stdout } = cli.run(['devices', '--no-measure'], env)
    expect(stdout).toMatch(
      /cuda:0 +Fake GPU 0\ncompute +capability 9\.0, code for sm_90a, 132 SMs.*\nmemory.*\ndriver +CUDA 13\.0/,
    )
    expect(stdout).not.toContain('bandwidth')
  })

  it('explain shows kernels with blocks, registers and, on request, PTX', () => {
    const path = cli.write('model.mts', module)
    const { stdout, status } = cli.run(['explain', path, '--code', '--no-limits'], env)
    expect(status).toBe(0)
    expect(stdout).toMatch(/blocks of \d+ threads, 32 registers each, no spills/)
    expect(stdout).toContain('.visible .entry mul_softmax_rows')
    expect(stdout).toContain('on cuda:0')
  })

  it("bench measures times on the host's clock and on the GPU's, also for modules that do not name a device", () => {
    const path = cli.write('undevised.mts', module.replaceAll(", { device: 'cuda' }", ''))
    const few = ['--samples', '5', '--seconds', '0.1', '--no-compile-times', '--ways', 'eager,default']
    const { stdout, status } = cli.run(['bench', path, '--device', 'cuda', ...few], env)
    expect(status).toBe(0)
    expect(stdout).toContain('Fake GPU 0, load')
    expect(stdout).toMatch(/call +quartiles +on the GPU +speed/)
  })
})

describe('without a GPU', () => {
  const env = { TEGULA_LIBCUDA: '/nowhere/libcuda.so' }

  it('devices says why there is no GPU', () => {
    const { status, stdout } = cli.run(['devices', '--no-measure'], env)
    expect(status).toBe(0)
    expect(stdout).toMatch(/\ncuda +cuda: \/nowhere\/libcuda\.so cannot be loaded .*there is no NVIDIA driver here/)
  })

  it('explain and bench fail with exit code 1 and the fix', () => {
    const path = cli.write('model.mts', module)
    for (const command of ['explain', 'bench']) {
      const { status, stderr } = cli.run([command, path], env)
      expect(status).toBe(1)
      expect(stderr).toMatch(/there is no NVIDIA driver here.*fix: install the NVIDIA driver/)
    }
  })
})
