/**
 * Runs before each suite if TEGULA_TEST_DEVICE names a device (see vitest.config.ts): makes it the default device. Without a
 * GPU, 'cuda' is a stand-in driver: correct numbers, but slow.
 */
import { setDefaultDevice } from '../../src/index.js'
import { openGpu } from '../cuda/support.js'
import { testDevice } from './tensors.js'

openGpu()
setDefaultDevice(testDevice)
