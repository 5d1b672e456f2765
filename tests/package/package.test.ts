/**
 * The package as users get it: packed, installed in an empty folder, used from JavaScript and checked from TypeScript.
 */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const project = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'tegula-package-'))
const app = join(folder, 'app')

const run = (command: string, args: readonly string[], cwd: string): string =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

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
  const [tarball] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder], staged)) as [
    { filename: string },
  ]
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'app', type: 'module', private: true }))
  run(
    'npm',
    ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', join(folder, tarball.filename)],
    app,
  )
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

  it('has types that a strict TypeScript program can use', () => {
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
    const options = [
      '--strict',
      '--noEmit',
      '--module',
      'nodenext',
      '--target',
      'es2023',
      '--lib',
      'es2023,esnext.disposable',
    ]
    run(join(project, 'node_modules/.bin/tsc'), [...options, '--types', '', 'main.ts'], app)
  }, 120_000)

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
