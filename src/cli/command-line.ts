/** The command `tegula` as a function: parses the command line, runs one command, returns the exit code. */
import { Command, CommanderError, InvalidArgumentError } from 'commander'
import { UsageError } from '../base/errors.js'
import { version } from '../base/version.js'
import { compileModes } from '../compile/options.js'
import { profileGroups, profileSorts } from '../profile/profile.js'
import { type BenchOptions, bench } from './bench.js'
import { type BisectCommandOptions, bisectModule } from './bisect.js'
import { cacheClear, cacheList, cachePath } from './cache.js'
import { checkMachine } from './check-machine.js'
import { devices } from './devices.js'
import { type DoctorOptions, doctor } from './doctor.js'
import { type ExplainOptions, explain } from './explain.js'
import { firstCallCommand, sendFirstCallOf, type Way, ways } from './first-call.js'
import { type ExitCode, errorData, printError, printProgress, printReport, type Report } from './output.js'
import { untilEnd } from './process-end.js'
import { type ProfileOptions, profileModule } from './profile.js'

const fileHelp = `
FILE is a .ts or .js module that exports a function of tensors (export default, or named fn) and
inputs: the array of its arguments, or a function that returns it. Optional exports: options (of
compile()) and moreInputs (arguments of further calls). Instead of function and inputs it may
export cases, each with several implementations (variants) of the same work.
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
    if (way === undefined) throw new InvalidArgumentError(`'${name}' is not one of ${ways.join(', ')}.`)
    return way
  })
}

const oneOf =
  <T extends string>(known: readonly T[]) =>
  (text: string): T => {
    const found = known.find(each => each === text)
    if (found === undefined) throw new InvalidArgumentError(`'${text}' is not one of ${known.join(', ')}.`)
    return found
  }

/** A command that prints a report. */
function reporting(parent: Command, usage: string, description: string): Command {
  return parent.command(usage).description(description).option('--json', 'print the result as JSON')
}

/** Makes a report. With `json`, stdout is reserved for the report, so output of the user's module goes to stderr. */
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
    .description(
      'A tensor compiler for TypeScript: lists devices, explains, profiles, benchmarks and bisects compiled functions.',
    )
    .version(version)
    .exitOverride()
  reporting(root, 'devices', 'devices of this machine, with measured peak rates')
    .option('--no-measure', 'do not measure peak rates')
    .action((options: JsonOption & { measure: boolean }) =>
      report(options.json, () => devices(options.measure, printProgress)),
    )
  reporting(root, 'explain <file>', 'graph, kernels, work, guards and memory of a module’s compiled function')
    .option('--code', 'include the generated code', false)
    .option('--no-graph', 'leave out the graphs')
    .option('--html <file>', 'write a report as one HTML page, instead of text')
    .option('--no-limits', 'do not measure the machine, to which kernels are compared')
    .option('--device <name>', deviceHelp)
    .option('--case <part>', 'explain the first case whose name contains this text', '')
    .option('--variant <part>', 'explain its first variant whose name contains this text', '')
    .addHelpText('after', fileHelp)
    .action((file: string, options: JsonOption & ExplainOptions) =>
      report(options.json, () => explain(file, options, printProgress)),
    )
  addProfileCommand(root, report)
  addDoctorCommand(root, report)
  reporting(root, 'bench <file...>', 'compare modules’ functions: eager, and compiled in each mode')
    .option('--samples <n>', 'samples per function and mode', positive, 30)
    .option('--seconds <s>', 'time budget for all samples', positive, 10)
    .option('--tolerance <t>', 'allowed error, relative to the largest value (default: by dtype)', positive, null)
    .option('--ways <list>', `comma-separated: some of ${ways.join(', ')}`, waysOf, ways)
    .option('--device <name>', deviceHelp)
    .option('--case <part>', 'run only cases whose names contain this text', '')
    .option('--quick', 'use the small sizes of modules that export cases', false)
    .option('--out <file>', 'also write the results to this file, as JSON, after each case')
    .option('--compile-times', 'measure first calls in separate processes (default for a single function)')
    .option('--no-compile-times', 'do not measure first calls')
    .addHelpText('after', fileHelp)
    .action((files: readonly string[], options: JsonOption & BenchOptions) =>
      report(options.json, () => bench(main, files, options, printProgress)),
    )
  reporting(root, 'bisect <file> [function]', 'what is behind a wrong number: compares each stage with the interpreter')
    .option('--out <file>', 'where the smallest failing part is written', 'reproduction.ts')
    .option('--device <name>', deviceHelp)
    .option('--variant <part>', 'its first variant whose name contains this text', '')
    .addHelpText('after', fileHelp)
    .action((file: string, name: string | undefined, options: JsonOption & BisectCommandOptions) =>
      report(options.json, () => bisectModule(file, name ?? '', options, printProgress)),
    )
  addCacheCommands(root, report)
  root.command(`${firstCallCommand} <what>`, { hidden: true }).action(sendFirstCallOf)
  return root
}

function addProfileCommand(
  root: Command,
  report: (json: boolean | undefined, make: () => Promise<Report>) => Promise<void>,
): void {
  reporting(root, 'profile <file>', 'where the time of a module’s function goes, and what its first call costs')
    .option('--eager', 'profile the function as it is, op by op, instead of compiled', false)
    .option('--mode <mode>', `compile it in this mode: ${compileModes.join(', ')}`, oneOf(compileModes))
    .option('--calls <n>', 'profiled calls, after the first and some to warm up', positive, 10)
    .option('--group <by>', `rows: ${profileGroups.join(', ')}`, oneOf(profileGroups), 'op')
    .option('--sort <by>', `order: ${profileSorts.join(', ')}`, oneOf(profileSorts))
    .option('--limit <n>', 'rows that are shown', positive, 30)
    .option('--lines', 'record the line of each op', false)
    .option('--trace <file>', 'write a trace for ui.perfetto.dev')
    .option('--html <file>', 'write a report as one HTML page')
    .option('--no-limits', 'do not measure the machine, to which kernels are compared')
    .option('--device <name>', deviceHelp)
    .option('--case <part>', 'profile the first case whose name contains this text', '')
    .option('--variant <part>', 'profile its first variant whose name contains this text', '')
    .addHelpText('after', fileHelp)
    .action((file: string, options: JsonOption & ProfileOptions) =>
      report(options.json, () => profileModule(file, options, printProgress)),
    )
}

function addDoctorCommand(
  root: Command,
  report: (json: boolean | undefined, make: () => Report | Promise<Report>) => Promise<void>,
): void {
  reporting(
    root,
    'doctor [file]',
    'what costs a module’s function time, and the fixes; without a file: checks this machine',
  )
    .option('--calls <n>', 'calls that the program makes, to tell whether compiling pays', positive, 1000)
    .option('--no-limits', 'measure neither the machine nor the calls')
    .option('--device <name>', deviceHelp)
    .option('--case <part>', 'examine the first case whose name contains this text', '')
    .option('--variant <part>', 'examine its first variant whose name contains this text', '')
    .addHelpText('after', fileHelp)
    .action((file: string | undefined, options: JsonOption & DoctorOptions) =>
      report(options.json, () => (file === undefined ? checkMachine() : doctor(file, options, printProgress))),
    )
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

/** Runs the command that the arguments name. `main`: the script for child processes. */
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
