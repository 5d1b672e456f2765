/** Scripts of tests/compile/fixtures as processes of their own: other switches, a cold start, their own memory. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { builtScript } from '../support/built.js'

export interface ScriptResult {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a fixture with this process's environment, changed as given (undefined: unset). */
export function runScript(
  name: string,
  args: readonly string[] = [],
  environment: Readonly<Record<string, string | undefined>> = {},
  nodeFlags: readonly string[] = [],
): Promise<ScriptResult> {
  const script = fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...nodeFlags, builtScript(script), ...args], {
      env: { ...process.env, ...environment },
    })
    let [stdout, stderr] = ['', '']
    child.stdout.on('data', chunk => (stdout += chunk))
    child.stderr.on('data', chunk => (stderr += chunk))
    child.once('error', reject)
    child.once('close', status => resolve({ status, stdout: stdout.trim(), stderr: stderr.trim() }))
  })
}

/** What a fixture prints as its last line, as JSON. Throws with everything that it said when it failed. */
export async function jsonOf<T>(run: Promise<ScriptResult>): Promise<T> {
  const { status, stdout, stderr } = await run
  if (status !== 0) throw new Error(`the script ended with ${status}:\n${stdout}\n${stderr}`)
  return JSON.parse(stdout.split('\n').at(-1)!) as T
}
