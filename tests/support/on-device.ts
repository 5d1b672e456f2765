/**
 * Runs before each suite where TEGULA_TEST_DEVICE names a device (see vitest.config.ts): what tests make without saying
 * where, they make there. Without a GPU, 'cuda' is the stand-in: right numbers, slowly.
 */
import { setDefaultDevice } from '../../src/index.js'
import { openGpu } from '../cuda/support.js'
import { testDevice } from './tensors.js'

openGpu()
setDefaultDevice(testDevice)
