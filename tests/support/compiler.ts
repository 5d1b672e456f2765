/** Whether native tests can run here; those that cannot are skipped by name. */
import { CompilerError } from '../../src/base/errors.js'
import { cpuDevice } from '../../src/runtime/cpu/device.js'
import { testDevice } from './tensors.js'

function findCompiler(): boolean {
  if (testDevice !== 'cpu') return true // a GPU's compiler is its driver
  try {
    cpuDevice().toolchain.compiler()
    return true
  } catch (error) {
    if (error instanceof CompilerError) return false
    throw error
  }
}

export const hasCompiler = findCompiler()
