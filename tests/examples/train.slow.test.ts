/**
 * The training programs as programs of their own: they train, and one that is killed and resumed ends with the same checkpoint,
 * byte for byte, as one that was left alone: losses, weights, the optimiser's state, positions.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bf16, f64, manualSeed, randn, type Tensor, tensor } from 'tegula'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { load, save } from '../../examples/safetensors.js'
import { ResNet18 } from '../../examples/train/models/resnet18.js'
import { hasCompiler } from '../support/compiler.js'

const project = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'tegula-train-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => void vi.unstubAllEnvs())

interface Outcome {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program; `killAt`: kills it as soon as that file is there. */
function run(program: string, args: readonly string[], killAt: string | null = null): Promise<Outcome> {
  const command = ['--import', 'tsx', join(project, 'examples/train', program), ...args, '--out', folder]
  const child = spawn(process.execPath, command, { cwd: project })
  const texts = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].on('data', data => {
      texts[stream] += data
    })
  }
  const watch = setInterval(() => {
    if (killAt !== null && existsSync(killAt)) child.kill('SIGKILL')
  }, 2)
  return new Promise(resolve => {
    child.on('close', (code, signal) => {
      clearInterval(watch)
      resolve({ code, signal, ...texts })
    })
  })
}

const small = '--layers 2 --heads 2 --width 48 --context 32 --batch 4 --sample 24 --steps 60 --every 4'
const runs: readonly (readonly [name: string, program: string, args: string])[] = [
  ['gpt', 'gpt.ts', small],
  ['gpt in bf16', 'gpt.ts', `${small} --precision bf16`],
  ['gpt in fp8', 'gpt.ts', `${small} --precision fp8`],
  ['ResNet-18', 'resnet18.ts', '--size 32 --batch 16 --steps 8 --every 2'],
]

describe.runIf(hasCompiler)('training programs', () => {
  it.each(runs)(
    '%s: killed and resumed, it ends as if it had not been',
    { timeout: 600_000 },
    async (name, program, text) => {
      const args = text.split(' ')
      const [whole, cut] = [join(folder, `${name}.whole`), join(folder, `${name}.cut`)]
      const left = await run(program, [...args, '--checkpoint', whole])
      expect(`${left.code} ${left.stderr}`).toBe('0 ')
      expect(left.stdout).toMatch(/^first step +[\d.]+ s with compiling; 1 compiled version$/m)
      expect((await run(program, [...args, '--checkpoint', cut], cut)).signal).toBe('SIGKILL')
      expect((load(cut) as { losses: Tensor }).losses.size(0)).toBeLessThan(Number(args[args.indexOf('--steps') + 1]))
      const resumed = await run(program, [...args, '--checkpoint', cut, '--resume'])
      expect(`${resumed.code} ${resumed.stderr}`).toBe('0 ')
      expect(readFileSync(cut).equals(readFileSync(whole))).toBe(true)
      const losses = (load(whole) as { losses: Tensor }).losses.toArray() as number[]
      expect(Math.min(...losses.slice(-4))).toBeLessThan(losses[0]!)
      expect(readdirSync(folder).filter(file => file.endsWith('.part'))).toEqual([])
      const last = (stdout: string): string => stdout.slice(stdout.search(/^(held-out|accuracy)/m))
      expect(last(resumed.stdout)).toBe(last(left.stdout)) // the same sample too
    },
  )

  it('refuses checkpoints of another training, and options that are none', { timeout: 120_000 }, async () => {
    const checkpoint = join(folder, 'other.safetensors')
    save(checkpoint, { config: { width: 64 } })
    const other = await run('gpt.ts', [...small.split(' '), '--checkpoint', checkpoint, '--resume'])
    expect(other.stderr).toMatch(/other\.safetensors is of a training with \w+ .+, not /)
    const none = await run('resnet18.ts', ['--checkpoint', join(folder, 'none'), '--resume'])
    expect(none.stderr).toContain('there is no checkpoint')
    expect((await run('gpt.ts', ['--resume'])).stderr).toBe('--resume is alone; give --checkpoint FILE --resume\n')
    expect((await run('gpt.ts', ['--steps', '1.5'])).stderr).toBe('--steps is 1.5; give an integer of at least 1\n')
    expect((await run('resnet18.ts', ['--precision', 'fp8'])).stderr).toContain('--precision is fp8; give f32 or bf16')
    expect((await run('resnet18.ts', ['--help'])).stdout).toContain(
      '--size N            height and width of the images (64)',
    )
  })
})

it("ResNet-18 is torchvision's", () => {
  const net = new ResNet18()
  expect(net.numParameters()).toBe(11_689_512)
  const names = Object.keys(net.stateDict())
  expect(names).toHaveLength(122)
  const block = [
    'conv1.weight',
    'bn1.weight',
    'bn1.bias',
    'bn1.running_mean',
    'bn1.running_var',
    'bn1.num_batches_tracked',
    'conv2.weight',
  ]
  expect(names.slice(names.indexOf('layer2.0.conv1.weight')).slice(0, 7)).toEqual(block.map(name => `layer2.0.${name}`))
  expect(names).toContain('layer4.0.downsample.1.running_var')
})

it('a file keeps a tree of tensors and values', () => {
  vi.stubEnv('TEGULA_BACKEND', 'interpreter')
  manualSeed(0)
  const file = join(folder, 'tree.safetensors')
  const all = ['f64', 'f32', 'f16', 'bf16', 'f8e4m3', 'f8e5m2', 'i64', 'i32', 'i16', 'i8', 'u8', 'bool'] as const
  const tensors = Object.fromEntries(all.map(dtype => [dtype, randn([2, 3]).mul(9).to(dtype).t()]))
  save(file, { tensors, list: [1, Infinity, Number.NaN, 2n ** 63n, 'x', null, true, tensor(1, { dtype: f64 })] })
  const found = load(file) as { tensors: Record<string, Tensor>; list: readonly unknown[] }
  for (const dtype of all) {
    const [was, is] = [tensors[dtype]!, found.tensors[dtype]!]
    expect(is.describe()).toBe(was.contiguous().describe())
    expect(is.to(bf16).toArray()).toEqual(was.to(bf16).toArray())
  }
  expect(found.list.slice(0, 7)).toEqual([1, Infinity, Number.NaN, 2n ** 63n, 'x', null, true])
  expect((found.list[7] as Tensor).describe()).toBe('f64[]')
})
