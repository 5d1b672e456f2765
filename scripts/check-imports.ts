/**
 * Checks the architecture: each folder of src/ imports only from folders of earlier layers, never sideways, and each subfolder
 * of schedule/ only from earlier ones; only back ends import the inside of back ends and distinguish targets; and no file is
 * part of an import cycle, of types or of values. Prints every violation and exits with 1 if there is one.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The layers of docs/architecture.md; a folder may import from earlier lines and from itself. */
const layers: readonly (readonly string[])[] = [
  ['base'],
  ['types', 'cache', 'report'],
  ['ir', 'target', 'runtime'],
  ['scalar'],
  ['graph', 'loop', 'tile', 'lane'],
  ['math'],
  ['tensor', 'kernels', 'lower', 'codegen'],
  ['nn', 'data', 'quant', 'schedule', 'tune'],
  ['backends'],
  ['compile'],
  ['profile', 'optim', 'debug'],
  ['cli', 'index.ts', 'kernel.ts'],
]

/** The subfolders of `schedule/`: each imports only from earlier ones. */
const scheduleRooms = ['plan', 'groups', 'tiling', 'memory', 'templates', 'fusion', 'kernels']

/**
 * The inside of back ends and the folders that they consist of: who else may import them. `backends/index.ts` registers back
 * ends; the other files named here are about CPUs or NVIDIA GPUs as such (measuring them, listing them, CUDA's
 * streams and graphs as users see them).
 */
const insides: readonly { readonly folder: string; readonly users: readonly string[] }[] = [
  { folder: 'backends/cpu/', users: ['backends/index.ts'] },
  { folder: 'backends/cuda/', users: ['backends/index.ts'] },
  { folder: 'codegen/c/', users: ['backends/cpu/'] },
  { folder: 'codegen/ptx/', users: ['backends/cuda/'] },
  { folder: 'lower/cpu/', users: ['backends/cpu/'] },
  { folder: 'lower/simt/', users: ['backends/cuda/'] },
  { folder: 'runtime/cpu/', users: ['backends/cpu/', 'profile/', 'cli/devices.ts'] },
  {
    folder: 'runtime/cuda/',
    users: [
      'backends/cuda/',
      'profile/',
      'cli/devices.ts',
      'compile/execute/streams.ts',
      'compile/execute/device-graph.ts',
      'tensor/scope.ts',
    ],
  },
]

/** A test for a particular target or back end. */
const tellsTargetsApart = /\b(kind|target\.name)\s*[!=]==?\s*'(cpu|cuda)'|case '(cpu|cuda)':/

const source = fileURLToPath(new URL('../src', import.meta.url))

function* filesIn(folder: string): Generator<string> {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) yield* filesIn(path)
    else if (path.endsWith('.ts')) yield path
  }
}

const unitOf = (file: string): string => relative(source, file).split('/')[0]!
const layerOf = (unit: string): number => layers.findIndex(layer => layer.includes(unit))

const known = new Map<string, readonly string[]>()

/** The files of src/ that a file imports: values and types, also dynamically. */
function importsOf(file: string): readonly string[] {
  const found = known.get(file)
  if (found !== undefined) return found
  const pattern = /\b(?:import|export)(?:\s+(?:[^'"`;]*?\sfrom\s+)?|\()'(\.[^']+)'/g
  const paths = [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, path]) =>
    resolve(dirname(file), path!.replace(/\.js$/, '.ts')),
  )
  known.set(file, paths)
  return paths
}

function layerOffences(file: string): string[] {
  const from = unitOf(file)
  if (layerOf(from) < 0) return [`${relative(source, file)}: the folder '${from}' has no layer`]
  return importsOf(file).flatMap(path => {
    const to = unitOf(path)
    if (to === from || layerOf(to) < layerOf(from)) return []
    return [`${relative(source, file)} (${from}) imports ${relative(source, path)} (${to}): not an earlier layer`]
  })
}

function roomOffences(file: string): string[] {
  const roomOf = (path: string): number =>
    scheduleRooms.indexOf(/^schedule\/(\w+)\//.exec(relative(source, path))?.[1] ?? '')
  const from = roomOf(file)
  return importsOf(file).flatMap(path => {
    if (from < 0 || roomOf(path) <= from) return []
    return [`${relative(source, file)} imports ${relative(source, path)}: not an earlier room of schedule/`]
  })
}

const isIn = (path: string, folder: string): boolean => path === folder || path.startsWith(folder)

function insideOffences(file: string): string[] {
  const from = relative(source, file)
  return importsOf(file).flatMap(path => {
    const to = relative(source, path)
    const inside = insides.find(({ folder }) => isIn(to, folder))
    if (inside === undefined || [inside.folder, ...inside.users].some(user => isIn(from, user))) return []
    return [`${from} imports ${to}: the inside of a back end, which src/backends offers as an interface`]
  })
}

function kindOffences(file: string): string[] {
  const from = relative(source, file)
  if (isIn(from, 'backends/') && from !== 'backends/index.ts') return []
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, i) =>
      tellsTargetsApart.test(line) ? [`${from}:${i + 1} asks which target it is: ask the back end's interface`] : [],
    )
}

/** Depth-first search; returns each cycle once, as the list of its files. */
function cycles(files: readonly string[]): string[] {
  const state = new Map<string, 'open' | 'done'>()
  const found: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    if (state.get(file) === 'done') return
    if (state.get(file) === 'open') {
      const cycle = [...path.slice(path.indexOf(file)), file].map(entry => relative(source, entry))
      found.push(`import cycle: ${cycle.join(' → ')}: move what both sides need into a file below them`)
      return
    }
    state.set(file, 'open')
    for (const next of importsOf(file)) visit(next, [...path, file])
    state.set(file, 'done')
  }
  for (const file of files) visit(file, [])
  return found
}

const files = [...filesIn(source)]
const offences = [
  ...files.flatMap(layerOffences),
  ...files.flatMap(roomOffences),
  ...files.flatMap(insideOffences),
  ...files.flatMap(kindOffences),
  ...cycles(files),
]
for (const offence of offences) console.error(offence)
console.log(
  `${files.length} files: ${offences.length === 0 ? 'layers and cycles are clean' : `${offences.length} offences`}`,
)
process.exitCode = offences.length === 0 ? 0 : 1
