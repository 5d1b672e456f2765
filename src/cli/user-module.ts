/**
 * Loads the module argument of a command: a user's .ts or .js file that exports a function of tensors and example inputs, or
 * cases to measure (`profile/bench-case.ts`).
 *
 *     export default (x: Tensor) => x.softmax(-1)          // or: export function fn(…)
 *     export const inputs = [randn([64, 64])]              // or a function that returns the array, or a promise of it
 *     export const moreInputs = [[randn([32, 64])]]        // optional: further calls, to see what compiles again
 *     export const options = { dynamic: true }             // optional: options of compile()
 *     export const cases = [{ name, inputs, variants }]    // instead of function and inputs; or a function returning it
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { TegulaError } from '../base/errors.js'
import type { SourceLocation } from '../base/source.js'
import type { TensorFunction } from '../compile/capture/capture.js'
import { installExecutors } from '../compile/executors.js'
import type { CompileOptions } from '../compile/options.js'
import type { DeviceName } from '../tensor/device.js'
import { setDefaultDevice } from '../tensor/dispatch.js'
import { loadAsWritten } from './module-hooks.js'
import { syntaxErrorLocation } from './output.js'
import {
  called,
  casesOf,
  checkedInputs,
  describeValue,
  type Exports,
  failure,
  type UserCase,
  usage,
} from './user-case.js'

export interface LoadOptions {
  /** Made the default device before the module is loaded, so that the module's tensors are on it. */
  readonly device?: string | undefined
  /** Passed on to the module's cases. */
  readonly quick?: boolean
}

export interface UserModule {
  readonly file: string
  /** At least one. */
  readonly cases: readonly UserCase[]
  /** True if the module exports a function and inputs instead of cases. */
  readonly isSingle: boolean
  /** Options of `compile` for a function of that name. */
  options(name: string): CompileOptions
  /** Arguments of further example calls. */
  readonly moreInputs: readonly (readonly never[])[]
}

const typescript = ['.ts', '.mts', '.cts']
const javascript = ['.js', '.mjs', '.cjs']

/**
 * Throws UsageError when the file does not exist, cannot be loaded by this Node, or does not export what a command needs;
 * DeviceError when the device does not exist; TegulaError when the module throws while it is loaded or creates its inputs.
 */
export async function loadUserModule(path: string, { device, quick = false }: LoadOptions = {}): Promise<UserModule> {
  const file = resolve(path)
  if (device !== undefined) {
    installExecutors() // setting the device needs executors, and the module has not imported tegula yet
    setDefaultDevice(device as DeviceName)
  }
  const exported = await importFile(file)
  const isSingle = exported.cases === undefined
  const cases = isSingle
    ? [await onlyCase(exported, path, basename(file, extname(file)))]
    : await casesOf(exported.cases, path, { quick })
  const options = optionsOf(exported, path)
  return {
    file,
    cases,
    isSingle,
    options: name => ({ name, ...options }),
    moreInputs: await moreInputsOf(exported, path),
  }
}

/** Cases or variants whose names contain `part`. Throws UsageError when there are none. */
export function withNames<T extends { readonly name: string }>(
  all: readonly T[],
  part: string,
  what: string,
): readonly T[] {
  const found = all.filter(({ name }) => name.includes(part))
  if (found.length > 0) return found
  const names = all.map(({ name }) => `'${name}'`).join(', ')
  throw usage(`no ${what} is named '${part}'`, `give a part of one of ${names}`)
}

/** The module's function as a case; creates its inputs now. */
async function onlyCase(exported: Exports, path: string, base: string): Promise<UserCase> {
  const fn = functionOf(exported, path)
  const inputs = await inputsOf(exported, path)
  const functionName = fn.name === '' || fn.name === 'default' ? base : fn.name
  const { name = functionName } = optionsOf(exported, path)
  return { name, variants: [{ name: '', fn }], inputs: async () => inputs }
}

async function importFile(file: string): Promise<Exports> {
  if (!existsSync(file)) throw usage(`there is no file ${file}`, 'give the path of a .ts or .js module')
  const extension = extname(file)
  if (![...typescript, ...javascript].includes(extension)) {
    throw usage(`${file} is not a module: its name ends in ${JSON.stringify(extension)}`, 'give a .ts or .js module')
  }
  if (typescript.includes(extension)) await registerTypescript(file)
  loadAsWritten()
  try {
    const namespace = (await import(pathToFileURL(file).href)) as Exports
    // A CommonJS module is imported as one default export.
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
        'set "type": "module" in your package.json, or name the file .mts or .mjs',
      )
    }
    const what = `${file} throws while it is loaded`
    const location = cause instanceof SyntaxError ? syntaxErrorIn(file) : null
    if (location !== null) throw new TegulaError(`${what}: ${(cause as SyntaxError).message}`, { at: location })
    throw failure(what, cause, missingPackageFix(cause))
  }
}

/** The location of a syntax error. An import's error does not contain it, but the output of `node --check` does. */
function syntaxErrorIn(file: string): SourceLocation | null {
  const { status, stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' })
  return status === 0 ? null : syntaxErrorLocation(stderr)
}

function missingPackageFix(cause: unknown): string | undefined {
  if (errorCode(cause) !== 'ERR_MODULE_NOT_FOUND' || !(cause instanceof Error)) return undefined
  const name = /Cannot find package '([^']+)'/.exec(cause.message)?.[1]
  return name === undefined ? 'correct the path that it imports' : `install it: npm install ${name}`
}

const commonJsErrors: readonly unknown[] = ['ERR_REQUIRE_CYCLE_MODULE', 'ERR_REQUIRE_ESM', 'ERR_REQUIRE_ASYNC_MODULE']

const isCommonJsMistake = (error: unknown): boolean =>
  commonJsErrors.includes(errorCode(error)) ||
  (error instanceof SyntaxError && error.message.includes('import statement outside a module'))

/** Registers the tsx of the user's project or of the current folder, if it is installed and not registered yet. */
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

/** The file behind `import 'tsx/esm/api'`; `require.resolve` would return the CommonJS one. */
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
    return null // not installed: Node itself may support TypeScript
  }
}

function functionOf(exported: Exports, path: string): TensorFunction {
  const found = exported.default ?? exported.fn
  if (typeof found !== 'function') {
    const names = Object.keys(exported)
    const has = names.length === 0 ? 'nothing' : names.join(', ')
    throw usage(
      `${path} exports no function (it exports ${has})`,
      'export default the function to compile, or export it as fn; to measure several, export cases',
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
  if (!Array.isArray(calls))
    throw usage(`${path}: moreInputs is not an array`, 'export an array of arrays of arguments')
  return calls.map((inputs: unknown, i) => checkedInputs(inputs, `${path}: moreInputs[${i}]`))
}

function optionsOf({ options }: Exports, path: string): CompileOptions {
  if (options === undefined) return {}
  if (typeof options !== 'object' || options === null) {
    throw usage(`${path}: options is ${describeValue(options)}`, 'export an object of options of compile()')
  }
  return options
}

function errorCode(error: unknown): unknown {
  return typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
}
