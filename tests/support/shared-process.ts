/**
 * Runs before each suite that shares its process with others (see vitest.config.ts). Its ops run as people's do, whatever
 * executor an earlier suite installed, and with kernels of its own: those of an earlier one may be interpreted. And it
 * fails if it leaves anything else of the process other than it found it.
 */
import { afterAll, expect } from 'vitest'
import { eagerExecutors, installExecutors } from '../../src/compile/executors.js'
import { getDefaultDevice } from '../../src/tensor/device.js'
import { setExecutors } from '../../src/tensor/dispatch.js'
import { getFloat32MatmulPrecision } from '../../src/tensor/precision.js'
import { renewTracedEnds } from '../../src/tensor/storage.js'

const state = () => ({
  environment: { ...process.env },
  device: getDefaultDevice(),
  precision: getFloat32MatmulPrecision(),
  folder: process.cwd(),
  // Those that tests replace.
  functions: [process.emitWarning, process.stdout.write, console.log, console.warn, Date.now, Math.random],
})

installExecutors() // once in a process: the entries import it after this
setExecutors(eagerExecutors())
renewTracedEnds() // earlier suites may have used up the lines that errors quote
const found = state()
afterAll(() => expect(state(), 'the process, after this suite').toEqual(found))
