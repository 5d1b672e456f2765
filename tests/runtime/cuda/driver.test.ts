import { afterAll, describe, expect, it } from 'vitest'
import { DeviceError } from '../../../src/base/errors.js'
import { CudaDevice } from '../../../src/runtime/cuda/device.js'
import { CudaDriver } from '../../../src/runtime/cuda/driver.js'
import { openFake, skipReason } from './support.js'

const fake = openFake()
afterAll(() => fake?.close())

describe('without the stand-in', () => {
  it('reports that there is no driver', () => {
    expect(() => new CudaDriver('/nowhere/libcuda.so.1')).toThrow(
      /cuda: \/nowhere\/libcuda\.so\.1 cannot be loaded .*there is no NVIDIA driver here.*fix: install the NVIDIA driver/,
    )
  })
})

describe.skipIf(fake === null)(`the driver (${skipReason})`, () => {
  const path = fake?.path

  it('reports its version and devices', () => {
    const driver = fake!.driver({ version: 12040, devices: 2 })
    expect(driver.version).toBe(12040)
    expect(driver.deviceCount).toBe(2)
    expect(driver.path).toBe(path)
  })

  it('is rejected when it is too old', () => {
    expect(() => fake!.driver({ version: 11040 })).toThrow(
      /the driver supports CUDA 11\.4; Tegula needs CUDA 12\.0 or newer.*fix: update the NVIDIA driver to 525/,
    )
  })

  it('reports that there is no GPU', () => {
    expect(() => fake!.driver({ devices: 0 })).toThrow(
      /the driver finds no GPU \(CUDA_ERROR_NO_DEVICE\).*CUDA_VISIBLE_DEVICES/,
    )
  })

  it.each([2, -1, 0.5, Number.NaN])('rejects device %d of 2', index => {
    const driver = fake!.driver({ devices: 2 })
    const open = () => new CudaDevice(index, { driver })
    expect(open).toThrow(DeviceError)
    expect(open).toThrow(`no device 'cuda:${index}': the driver finds 2 GPUs`)
    expect(open).toThrow("use 'cuda:0' to 'cuda:1'")
  })

  it('describes a device', () => {
    const device = new CudaDevice(1, { driver: fake!.driver({ devices: 2, memory: 2 ** 37, capability: 89 }) })
    expect(device.name).toBe('cuda:1')
    expect(device.facts).toEqual({
      name: 'Fake GPU 1',
      capability: 89,
      multiprocessors: 132,
      l2Bytes: 50 * 2 ** 20,
      sharedBytesPerBlock: 227 * 1024,
      sharedBytesPerMultiprocessor: 228 * 1024,
      memoryBytes: 2 ** 37,
      driverVersion: 13000,
      uuid: '01112131-4151-6171-8191-a1b1c1d1e1f1',
      memoryBytesPerSecond: (2619e6 * 2 * 5120) / 8,
    })
  })
})
