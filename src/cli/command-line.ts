/** The command `tegula` as a function: parses the command line, runs one command, returns the exit code. */
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { UsageError } from '../base/errors.js'
import { version } from '../base/version.js'
import { type BenchOptions, bench } from './bench.js'
import { cacheClear, cacheList, cachePath } from './cache.js'
import { devices } from './devices.js'
import { type ExplainOptions, explain } from './explain.js'
import { firstCallCommand, sendFirstCall, type Way, ways } from './first-call.js'
import { type ExitCode, errorData, printError, printProgress, printReport, type Report } from './output.js'
import { untilEnd } from './process-end.js'

const fileHelp = `
FILE is a .ts or .js module that exports a function of tensors (export default, or named fn) and
inputs: the array of its arguments, or a function that returns it. Optional exports: options (what
compile() is given) and moreInputs (arguments of further calls). Instead of function and inputs it may
export cases, each with variants of one piece of work.
Exit codes: 0 done, 1 failed, 2 wrong usage.`

function positive(text: string): number {
  const value = Number(text)
  if (value > 0 && Number.isFinite(value)) return value
  throw new InvalidArgumentError('It must be a number above 0.')
}

const deviceHelp = "default device while the module is loaded: 'cpu', 'cuda', 'cuda:1', …"

function waysOf(text: string): readonly Way[] {
  return text.split(',').map(name => {
    const way = ways.find(each => each === name)
    if (way === undefined) throw new InvalidArgumentError(`'${name}' is none of ${ways.join(', ')}.`)
    return way
  })
}

/** A command that ends in a report. */
function reporting(parent: Command, usage: string, description: string): Command {
  return parent.command(usage).description(description).option('--json', 'print the result as JSON')
}

/** Makes a report. With `json`, stdout is reserved for the result, so what the user's module prints goes to stderr. */
async function madeReport(json: boolean, make: () => Report | Promise<Report>): Promise<Report> {
  const { write } = process.stdout
  if (json) process.stdout.write = process.stderr.write.bind(process.stderr) as typeof write
  try {
    return await make()
  } finally {
    process.stdout.write = write
  }
}

interface JsonOption {
  readonly json?: boolean
}

/** `main`: the script for child processes; `exit` receives the command's exit code. */
function program(main: string, exit: (code: ExitCode) => void): Command {
  const report = async (json = false, make: () => Report | Promise<Report>): Promise<void> => {
    const made = await madeReport(json, make)
    printReport(made, json)
    exit(made.exitCode ?? 0)
  }
  const root = new Command('tegula')
    .description('A tensor compiler for TypeScript: what it finds, what it makes of a function, what that gains.')
    .version(version)
    .exitOverride()
  reporting(root, 'devices', 'what was found, with measured limits')
    .option('--no-measure', 'do not measure')
    .action((options: JsonOption & { measure: boolean }) =>
      report(options.json, () => devices(options.measure, printProgress)),
    )
  reporting(root, 'explain <file>', 'graph, kernels, work, guards and memory of a module’s function')
    .option('--code', 'include the generated C', false)
    .option('--no-graph', 'leave out the graphs')
    .option('--no-limits', 'do not measure the machine to judge kernels by')
    .option('--device <name>', deviceHelp)
    .option('--case <part>', 'of a module that exports cases: the first whose name contains this', '')
    .option('--variant <part>', 'its first variant whose name contains this', '')
    .addHelpText('after', fileHelp)
    .action((file: string, options: JsonOption & ExplainOptions) =>
      report(options.json, () => explain(file, options, printProgress)),
    )
  reporting(root, 'bench <file...>', 'modules’ functions eagerly and compiled in each mode, side by side')
    .option('--samples <n>', 'samples of each', positive, 30)
    .option('--seconds <s>', 'time for the samples of all together', positive, 10)
    .option('--tolerance <t>', 'allowed error, relative to the largest value (default: by dtype)', positive, null)
    .option('--ways <list>', `comma-separated: some of ${ways.join(', ')}`, waysOf, ways)
    .option('--device <name>', deviceHelp)
    .option('--case <part>', 'of a module that exports cases: those whose names contain this', '')
    .option('--quick', 'of a module that exports cases: the sizes that it has for trying out', false)
    .option('--out <file>', 'also write the result there, as JSON, after each case')
    .option('--compile-times', 'measure first calls in separate processes (default for a single function)')
    .option('--no-compile-times', 'do not')
    .addHelpText('after', fileHelp)
    .action((files: readonly string[], options: JsonOption & BenchOptions) =>
      report(options.json, () => bench(main, files, options, printProgress)),
    )
  addCacheCommands(root, report)
  root.command(`${firstCallCommand} <what>`, { hidden: true }).action(sendFirstCall)
  return root
}

function addCacheCommands(
  root: Command,
  report: (json: boolean | undefined, make: () => Report) => Promise<void>,
): void {
  const cache = root.command('cache').description('the kernel cache on disk')
  const commands = [
    ['ls', 'its files, newest first', cacheList],
    ['path', 'its folder', cachePath],
    ['clear', 'remove its files', cacheClear],
  ] as const
  for (const [name, description, make] of commands) {
    reporting(cache, name, description).action(({ json }: JsonOption) => report(json, make))
  }
}

/** Runs the command of these arguments. `main`: as `program`. */
export async function runCommandLine(args: readonly string[], main: string): Promise<ExitCode> {
  const json = args.includes('--json')
  let code: ExitCode = 0
  try {
    const command = program(main, made => {
      code = made
    })
    await untilEnd(json, () => command.parseAsync(args, { from: 'user' }))
    return code
  } catch (error) {
    if (!(error instanceof CommanderError)) return printError(error, json)
    // commander has printed its message already.
    if (json && error.exitCode !== 0) {
      printReport(
        { data: { error: errorData(new UsageError(error.message, { fix: 'see tegula --help', at: null })) }, text: '' },
        json,
      )
    }
    return error.exitCode === 0 ? 0 : 2
  }
}
