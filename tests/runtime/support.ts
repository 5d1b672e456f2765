/** What the tests of the runtime share: private cache folders, C kernels, and scripts run as processes. */
import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { DiskCache } from '../../src/cache/disk-cache.js'
import type { Block } from '../../src/runtime/block.js'
import { kernelAbi } from '../../src/runtime/cpu/abi.js'
import { builtScript } from '../support/built.js'

export function testFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tegula-test-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function testCache(folder = testFolder(), warn: (message: string) => void = failOnWarning): DiskCache {
  return DiskCache.open({ folder: join(folder, 'cache'), warn })
}

function failOnWarning(message: string): void {
  throw new Error(`unexpected warning: ${message}`)
}

/** A kernel: `body` runs per program instance `p` with `a` (arguments), `g` (grid) and `scratch`. */
export function kernelSource(name: string, body: string): string {
  return `void ${name}(const tg_arg *a, const int64_t g[3], int64_t first, int64_t last, char *scratch) {
  for (int64_t p = first; p < last; p++) { ${body} }
}
`
}

export const kernelHeader = kernelAbi

/** A shell script that stands for the compiler, runs `before`, and passes on to cc. */
export function compilerWrapper(folder: string, before: string): string {
  const path = join(folder, 'wrapped-cc')
  writeFileSync(path, `#!/bin/sh\n${before}\nexec cc "$@"\n`)
  chmodSync(path, 0o755)
  return path
}

export interface ScriptResult {
  readonly status: number | null
  readonly output: string
}

/** Runs tests/runtime/fixtures/<name> with node and this process's environment. */
export function runFixture(
  name: string,
  args: string[],
  environment: Record<string, string> = {},
): Promise<ScriptResult> {
  const script = fileURLToPath(new URL(`fixtures/${name}`, import.meta.url))
  return new Promise(resolve => {
    const child = spawn(process.execPath, [builtScript(script), ...args], {
      env: { ...process.env, ...environment },
    })
    let output = ''
    child.stdout.on('data', chunk => (output += chunk))
    child.stderr.on('data', chunk => (output += chunk))
    child.once('close', status => resolve({ status, output: output.trim() }))
  })
}

export const floats = (block: Block, count = block.byteLength / 4) =>
  new Float32Array(block.buffer, block.byteOffset, count)
export const doubles = (block: Block) => new Float64Array(block.buffer, block.byteOffset, block.byteLength / 8)
export const longs = (block: Block) => new BigInt64Array(block.buffer, block.byteOffset, block.byteLength / 8)
export const ints = (block: Block) => new Int32Array(block.buffer, block.byteOffset, block.byteLength / 4)
