/**
 * The package as users get it: packed, installed in an empty folder, used from JavaScript and checked from TypeScript.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const project = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'tegula-package-'))
const app = join(folder, 'app')
/** As a stranger has it who has never heard of "type": "module". */
const plain = join(folder, 'plain')
const tsx = join(project, 'node_modules/.bin/tsx')
const tegula = join(app, 'node_modules/.bin/tegula')

/** The TypeScript of README.md, in order: the example, the one for a GPU, the kernel. */
const blocks = [...readFileSync(join(project, 'README.md'), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms)].map(
  ([, text = '']) => text,
)
const withoutTypes = (text: string): string => text.replaceAll(', type Tensor', '').replaceAll(': Tensor', '')

/** stdout, stderr and status, whatever they are. */
function outcome(command: string, args: readonly string[], cwd: string): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, encoding: 'utf8' })
  return { status, said: stdout + stderr }
}

const tsc = join(project, 'node_modules/.bin/tsc')
const strict = ['--strict', '--noEmit', '--target', 'es2022', '--types', '']

const run = (command: string, args: readonly string[], cwd: string): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** What `npm pack` says of the package. */
interface Packed {
  readonly filename: string
  /** Bytes: compressed, and installed. */
  readonly size: number
  readonly unpackedSize: number
  readonly entryCount: number
}
let packed: Packed

beforeAll(() => {
  // Built into a folder of its own: a test must not change the checkout's dist/.
  const staged = join(folder, 'staged')
  mkdirSync(staged)
  mkdirSync(app)
  run('npx', ['tsc', '-p', 'tsconfig.build.json', '--outDir', join(staged, 'dist')], project)
  const { scripts, devDependencies, ...manifest } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8'))
  expect(Object.keys(scripts).filter(name => /install|prepare/.test(name))).toEqual([])
  expect(devDependencies).toBeDefined()
  writeFileSync(join(staged, 'package.json'), JSON.stringify(manifest))
  for (const file of ['LICENSE', 'README.md']) writeFileSync(join(staged, file), readFileSync(join(project, file)))
  for (const name of ['assets', 'docs', 'examples'])
    cpSync(join(project, name), join(staged, name), { recursive: true })
  const tarballs = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder], staged)) as [Packed]
  packed = tarballs[0]
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'app', type: 'module', private: true }))
  run(
    'npm',
    ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', join(folder, packed.filename)],
    app,
  )
  // What `npm init -y` makes, with what its owner installed: TypeScript's loader, beside the package.
  mkdirSync(plain)
  run('npm', ['init', '-y'], plain)
  symlinkSync(join(app, 'node_modules'), join(plain, 'node_modules'))
  symlinkSync(join(project, 'node_modules/tsx'), join(app, 'node_modules/tsx'))
}, 120_000)

afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the packed package', () => {
  it('works from JavaScript', () => {
    const script = `
      import { compile, tensor } from 'tegula'
      import { cdiv, f32, kernel, view } from 'tegula/kernel'
      import { functional as F } from 'tegula/nn'
      const f = compile(x => F.relu(x.add(1)).mul(2))
      const y = f(tensor([-3, 1]))
      const twice = kernel({
        name: 'twice',
        params: { x: view(f32, 1), out: view(f32, 1) },
        constants: { BLOCK: 64 },
        grid: ({ out }, { BLOCK }) => [cdiv(out.size(0), BLOCK)],
        body: (t, { x, out }, { BLOCK }) => {
          const start = t.programId(0).mul(BLOCK)
          t.store(out, [start], t.load(x, [start], [BLOCK]).mul(2))
        },
      })
      const out = tensor([0, 0])
      twice.launch({ x: y, out })
      console.log(JSON.stringify([y.toArray(), out.toArray()]))
    `
    writeFileSync(join(app, 'main.js'), script)
    expect(JSON.parse(run(process.execPath, ['main.js'], app))).toEqual([
      [0, 4],
      [0, 8],
    ])
  })

  it('has types for a strict TypeScript program', () => {
    writeFileSync(
      join(app, 'main.ts'),
      `import { compile, type Tensor, tensor } from 'tegula'
       const f = compile((x: Tensor, k: number) => ({ y: x.mul(k) }))
       const { y }: { y: Tensor } = f(tensor([1, 2]), 3)
       export const shape: readonly number[] = y.shape
       // @ts-expect-error: a string is no tensor
       f('no', 3)
      `,
    )
    run(tsc, [...strict, '--module', 'nodenext', 'main.ts'], app)
  }, 120_000)

  // Its own declarations are checked too; no library but that of the target is needed for them.
  it.each([
    ['--module', 'nodenext'],
    ['--module', 'esnext', '--moduleResolution', 'bundler'],
    ['--module', 'nodenext', '--exactOptionalPropertyTypes', '--isolatedModules', '--verbatimModuleSyntax'],
    ['--module', 'nodenext', '--lib', 'es2022,dom'],
  ])(
    'has declarations without errors (%#)',
    (...options) => {
      writeFileSync(join(app, 'consumer.ts'), readFileSync(new URL('consumer.ts.txt', import.meta.url)))
      run(
        tsc,
        [...strict, '--skipLibCheck', 'false', ...options.filter(option => option !== undefined), 'consumer.ts'],
        app,
      )
    },
    120_000,
  )

  it('has a command that explains a module of the project', () => {
    writeFileSync(
      join(app, 'model.js'),
      `import { tensor } from 'tegula'
       export default x => x.add(1).relu()
       export const inputs = [tensor([1, 2])]`,
    )
    const explained = JSON.parse(
      run(join(app, 'node_modules/.bin/tegula'), ['explain', 'model.js', '--json', '--no-limits'], app),
    ) as { opCount: number; segments: { kernels: unknown[] }[] }
    expect([explained.opCount, explained.segments[0]!.kernels.length]).toEqual([2, 1])
  })

  it('hides everything but its entry points', () => {
    writeFileSync(join(app, 'private.js'), `import 'tegula/dist/ir/node.js'`)
    expect(() => run(process.execPath, ['private.js'], app)).toThrow(/ERR_PACKAGE_PATH_NOT_EXPORTED/)
  })
})

describe('the README in a folder that npm init made', () => {
  it('has an example, one for a GPU, and a kernel', () => {
    expect(blocks.map(text => /cuda|kernel\(/.exec(text)?.[0] ?? 'example')).toEqual(['example', 'cuda', 'kernel('])
    expect(JSON.parse(readFileSync(join(plain, 'package.json'), 'utf8'))).not.toMatchObject({ type: 'module' })
  })

  it.each([
    ['the example as TypeScript', 0, 'main.ts', (text: string) => text],
    ['the example as JavaScript', 0, 'main.mjs', withoutTypes],
    ['the kernel as TypeScript', 2, 'kernel.ts', (text: string) => text],
    ['the kernel as JavaScript', 2, 'kernel.mjs', (text: string) => text],
  ] as const)('%s runs', (_, block, name, change) => {
    writeFileSync(join(plain, name), change(blocks[block]!))
    const { status, said } = outcome(name.endsWith('.ts') ? tsx : process.execPath, [name], plain)
    expect([status, said]).toEqual([0, block === 0 ? expect.stringContaining('matmul') : ''])
  })

  it('the example for a GPU runs, or says that there is none', () => {
    writeFileSync(join(plain, 'gpu.mts'), blocks[1]!)
    const { status, said } = outcome(tsx, ['gpu.mts'], plain)
    if (status !== 0) expect(said).toMatch(/DeviceError: .*(?:libcuda|cuda).* at \S*gpu\.mts:3/s)
  })

  it('CommonJS can require it', () => {
    const script = `const { tensor } = require('tegula'); console.log(tensor([1]).add(1).toArray())`
    const { status, said } = outcome(process.execPath, ['-e', script], plain)
    expect([status, said.trim()]).toEqual([0, '[ 2 ]'])
  })

  const model = `import { randn, type Tensor } from 'tegula'
    import { weights } from './weights'
    export default (x: Tensor): Tensor => x.matmul(weights).relu()
    export const inputs = [randn([4, 8])]`

  it.each(['model.ts', 'model.js'])(
    'tegula explain %s: one copy of the package, and nothing but data on stdout',
    name => {
      const isTs = name.endsWith('.ts')
      const text = isTs ? model : withoutTypes(model).replace('./weights', './weights.js')
      writeFileSync(
        join(plain, isTs ? 'weights.ts' : 'weights.js'),
        `import { randn } from 'tegula'
      console.log('loaded'); console.table([1]); process.stdout.write('more')
      export const weights = randn([8, 2])`,
      )
      writeFileSync(join(plain, name), text)
      const { status, stdout, stderr } = spawnSync(tegula, ['explain', name, '--json', '--no-limits'], {
        cwd: plain,
        encoding: 'utf8',
      })
      expect([status, stderr]).toEqual([0, expect.stringContaining('loaded')])
      expect((JSON.parse(stdout) as { opCount: number }).opCount).toBe(2)
      expect(stderr).not.toMatch(/Warning/)
    },
  )

  it.each(['explain model.js --no-limits --code', 'cache ls', 'devices --no-measure', '--help'])(
    'tegula %s | head ends quietly',
    command => {
      const { status, said } = outcome('bash', ['-c', `set -o pipefail; ${tegula} ${command} | head -c 1`], plain)
      expect(status).toBe(0)
      expect(said).not.toMatch(/EPIPE|Error|Warning|^ +at /m)
    },
  )

  it('a command whose stderr is closed continues', () => {
    const command = `set -o pipefail; ${tegula} explain model.js --no-limits --json 2> >(true) | tail -c 2`
    expect(outcome('bash', ['-c', command], plain)).toEqual({ status: 0, said: '}\n' })
  })
})

/** The files of the package that a process loads. */
function modulesOf(statement: string): string[] {
  const log = join(folder, 'loaded.txt')
  writeFileSync(log, '')
  const hooks = `import { appendFileSync } from 'node:fs'
    export function load(url, context, next) {
      appendFileSync(${JSON.stringify(log)}, url + '\\n')
      return next(url, context)
    }`
  const dataUrl = (text: string): string => `data:text/javascript,${encodeURIComponent(text)}`
  const register = `import { register } from 'node:module'\nregister(${JSON.stringify(dataUrl(hooks))})`
  run(process.execPath, ['--import', dataUrl(register), '--input-type=module', '-e', statement], app)
  return readFileSync(log, 'utf8')
    .split('\n')
    .flatMap(url => url.split('/node_modules/tegula/dist/').slice(1))
}

/** What computes results slowly, to compare others with; and the command line. */
const isOracle = (file: string): boolean => /simulate|^(graph|loop)\/interpret|^cli\//.test(file)

describe('the size of the package', () => {
  it('is recorded: a change that increases it must update this test', () => {
    const { size, unpackedSize, entryCount } = packed
    const loaded = modulesOf("await import('tegula')").length
    console.log(`${entryCount} files, ${size} bytes packed, ${unpackedSize} installed; tegula loads ${loaded} modules`)
    expect(size).toBeLessThan(2_150_000)
    expect(unpackedSize).toBeLessThan(7_950_000)
    expect(entryCount).toBeLessThan(1_850)
    expect(loaded).toBeLessThan(720)
  })

  it.each(['tegula', 'tegula/kernel', 'tegula/nn', 'tegula/optim', 'tegula/data', 'tegula/quant', 'tegula/profile'])(
    '%s loads nothing that only tests need',
    name => {
      const loaded = modulesOf(`await import('${name}')`)
      expect(loaded).toContain('tensor/tensor.js')
      expect(loaded.filter(isOracle)).toEqual([])
    },
  )

  it('the interpreter and the simulator, which bisect compares with, are loaded by tegula/debug alone', () => {
    expect(modulesOf(`await import('tegula/debug')`).filter(isOracle).toSorted()).toEqual([
      'graph/interpret.js',
      'lane/simulate.js',
    ])
  })

  it('contains the examples, which run from where it is installed', () => {
    expect(run(tsx, ['node_modules/tegula/examples/kernels/softmax.ts'], app)).toBe('')
    expect(run(tsx, ['node_modules/tegula/examples/neighbours.ts'], app)).toContain(
      'eager and compiled give the same 599 labels',
    )
  }, 120_000)
})
