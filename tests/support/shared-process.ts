/**
 * Runs before each suite that shares its process with others (see vitest.config.ts). Its ops run as people's do, whatever
 * executor an earlier suite installed; and it fails if it leaves anything else of the process other than it found it.
 */
import { afterAll, expect } from 'vitest'
import { installExecutors } from '../../src/compile/executors.js'
import { getDefaultDevice } from '../../src/tensor/device.js'
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

installExecutors()
renewTracedEnds() // earlier suites may have used up the lines that errors quote
const found = state()
afterAll(() => expect(state(), 'the process, after this suite').toEqual(found))
