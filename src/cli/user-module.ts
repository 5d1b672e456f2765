/**
 * Loads the module that a command is given: a function of tensors and example inputs, from a user's .ts or .js file.
 *
 *     export default (x: Tensor) => x.softmax(-1)          // or: export function fn(…)
 *     export const inputs = [randn([64, 64])]              // or a function that returns the array, or a promise of it
 *     export const moreInputs = [[randn([32, 64])]]        // optional: further calls, to see what compiles again
 *     export const options = { dynamic: true }             // optional: what compile() is given
 */
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { TegulaError, UsageError } from '../base/errors.js'
import type { TensorFunction } from '../compile/capture.js'
import type { CompileOptions } from '../compile/options.js'
import { describeTree } from '../compile/tree.js'
import { Tensor } from '../tensor/tensor.js'

export interface UserModule {
  readonly file: string
  readonly name: string
  readonly fn: TensorFunction
  readonly options: CompileOptions
  /** The arguments of one call. */
  readonly inputs: readonly never[]
  /** Arguments of further calls. */
  readonly moreInputs: readonly (readonly never[])[]
}

const typescript = ['.ts', '.mts', '.cts']
const javascript = ['.js', '.mjs', '.cjs']

/**
 * Throws UsageError when the file is not there, cannot be loaded by this Node, or does not export what a command needs;
 * TegulaError when it throws while it is loaded or makes its inputs.
 */
export async function loadUserModule(path: string): Promise<UserModule> {
  const file = resolve(path)
  const exported = await importFile(file)
  const fn = functionOf(exported, path)
  const own = fn.name === '' || fn.name === 'default' ? basename(file, extname(file)) : fn.name
  const options = optionsOf(exported, path, own)
  return {
    file,
    name: options.name ?? own,
    fn,
    options,
    inputs: await inputsOf(exported, path),
    moreInputs: await moreInputsOf(exported, path),
  }
}

type Exports = Readonly<Record<string, unknown>>

async function importFile(file: string): Promise<Exports> {
  if (!existsSync(file)) throw usage(`there is no file ${file}`, 'give the path of a .ts or .js module')
  const extension = extname(file)
  if (![...typescript, ...javascript].includes(extension)) {
    throw usage(`${file} is no module: its name ends in ${JSON.stringify(extension)}`, 'give a .ts or .js module')
  }
  if (typescript.includes(extension)) await registerTypescript(file)
  try {
    const namespace = (await import(pathToFileURL(file).href)) as Exports
    // A CommonJS module arrives as one default export.
    const inner = namespace.default
    return typeof inner === 'object' && inner !== null && !('inputs' in namespace) ? (inner as Exports) : namespace
  } catch (cause) {
    if (errorCode(cause) === 'ERR_UNKNOWN_FILE_EXTENSION' && typescript.includes(extension)) {
      throw usage(
        `${file} is TypeScript, which Node ${process.version} does not run by itself`,
        'install tsx in your project (npm install --save-dev tsx), or use Node 22.18 or later',
      )
    }
    if (isCommonJsMistake(cause)) {
      throw usage(
        `${file} counts as CommonJS, and tegula is an ES module`,
        'say "type": "module" in your package.json, or name the file .mts or .mjs',
      )
    }
    throw failure(`${file} throws while it is loaded`, cause)
  }
}

const commonJsErrors: readonly unknown[] = ['ERR_REQUIRE_CYCLE_MODULE', 'ERR_REQUIRE_ESM', 'ERR_REQUIRE_ASYNC_MODULE']

const isCommonJsMistake = (error: unknown): boolean =>
  commonJsErrors.includes(errorCode(error)) ||
  (error instanceof SyntaxError && error.message.includes('import statement outside a module'))

/** Uses the tsx of the user's project or of this one's folder, when there is one and this process does not use it yet. */
async function registerTypescript(file: string): Promise<void> {
  if (process.execArgv.some(argument => argument.includes('tsx'))) return
  for (const from of [file, resolve('index.js')]) {
    const manifest = resolveFrom(from, 'tsx/package.json')
    if (manifest === null) continue
    const { register } = (await import(pathToFileURL(tsxApi(manifest)).href)) as { register: () => unknown }
    register()
    return
  }
}

/** The file behind `import 'tsx/esm/api'`; `require.resolve` would give the one for CommonJS. */
function tsxApi(manifest: string): string {
  const { exports } = JSON.parse(readFileSync(manifest, 'utf8')) as TsxManifest
  return join(dirname(manifest), exports['./esm/api'].import.default)
}

interface TsxManifest {
  readonly exports: { readonly './esm/api': { readonly import: { readonly default: string } } }
}

function resolveFrom(file: string, name: string): string | null {
  try {
    return createRequire(file).resolve(name)
  } catch {
    return null // not installed: Node itself may know TypeScript
  }
}

function functionOf(exported: Exports, path: string): TensorFunction {
  const found = exported.default ?? exported.fn
  if (typeof found !== 'function') {
    const names = Object.keys(exported)
    const has = names.length === 0 ? 'nothing' : names.join(', ')
    throw usage(
      `${path} exports no function (it exports ${has})`,
      'export default the function to compile, or export it as fn',
    )
  }
  if ('explain' in found && 'stats' in found) {
    throw usage(`${path} exports a compiled function`, 'export the plain function; the command compiles it')
  }
  return found as TensorFunction
}

async function inputsOf(exported: Exports, path: string): Promise<readonly never[]> {
  const { inputs } = exported
  if (inputs === undefined) {
    throw usage(
      `${path} exports no inputs`,
      'export const inputs = [/* the arguments of a call */], or a function that returns them',
    )
  }
  return checkedInputs(await called(inputs, `${path}: inputs`), `${path}: inputs`)
}

async function moreInputsOf(exported: Exports, path: string): Promise<readonly (readonly never[])[]> {
  if (exported.moreInputs === undefined) return []
  const calls = await called(exported.moreInputs, `${path}: moreInputs`)
  if (!Array.isArray(calls)) throw usage(`${path}: moreInputs is no array`, 'export an array of arrays of arguments')
  return calls.map((inputs: unknown, i) => checkedInputs(inputs, `${path}: moreInputs[${i}]`))
}

async function called(value: unknown, what: string): Promise<unknown> {
  if (typeof value !== 'function') return value
  try {
    return await value()
  } catch (cause) {
    throw failure(`${what} throws`, cause)
  }
}

function checkedInputs(inputs: unknown, what: string): readonly never[] {
  if (!Array.isArray(inputs)) {
    throw usage(
      `${what} is ${describe(inputs)}`,
      'export an array of the arguments of one call, or a function returning it',
    )
  }
  const leaves: Tensor[] = []
  describeTree(inputs, leaves, 'inputs')
  if (leaves.length > 0) return inputs as unknown[] as never[]
  if (inputs.some(isForeignTensor)) {
    throw usage(
      `${what} holds tensors of another copy of tegula than this command's`,
      'run the tegula of the same project (npx tegula), whose package.json says "type": "module"',
    )
  }
  throw usage(`${what} holds no tensor`, 'put the tensors that the function takes into it')
}

const isForeignTensor = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !(value instanceof Tensor) && value.constructor?.name === 'Tensor'

function optionsOf({ options }: Exports, path: string, name: string): CompileOptions {
  if (options === undefined) return { name }
  if (typeof options !== 'object' || options === null) {
    throw usage(`${path}: options is ${describe(options)}`, 'export an object of options of compile()')
  }
  return { name, ...options }
}

const describe = (value: unknown): string => (value === null ? 'null' : `a ${typeof value}`)

const usage = (what: string, fix: string): UsageError => new UsageError(what, { fix, at: null })

/** Keeps what an error of ours says; of others, the message here and the stack by `cause`. */
function failure(what: string, cause: unknown): TegulaError {
  if (cause instanceof TegulaError) {
    return new TegulaError(`${what}: ${cause.name}: ${cause.what}`, { at: cause.at, fix: cause.fix ?? undefined })
  }
  const message = cause instanceof Error ? cause.message : String(cause)
  return new TegulaError(`${what}: ${message}`, { cause, at: null })
}

function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}
