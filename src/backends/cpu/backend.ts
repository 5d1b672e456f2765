/** The CPU: C compiled by the system's compiler. */
import type { CpuDevice } from '../../runtime/cpu/device.js'
import { cpuDevice } from '../../runtime/cpu/device.js'
import type { Device } from '../../tensor/device.js'
import type { Backend, Refuse } from '../backend.js'
import type { ExportRequirements } from '../device.js'
import { CpuComputeDevice, type CpuNeeds, cpuNeeds } from './device.js'

const devices = new WeakMap<CpuDevice, CpuComputeDevice>()

function theDevice(): CpuComputeDevice {
  const cpu = cpuDevice()
  const known = devices.get(cpu) ?? new CpuComputeDevice(cpu)
  devices.set(cpu, known)
  return known
}

export const cpuBackend = {
  name: 'cpu',
  owns: (name: Device) => name === 'cpu',
  device: theDevice,
  opened: () => [theDevice()],
  shown: { cpu: () => theDevice().target },
  deviceForExport(_: Device, { needs, files: [runtime] }: ExportRequirements, refuse: Refuse): CpuComputeDevice {
    checkNeeds(needs as unknown as CpuNeeds, refuse)
    const device = theDevice()
    device.adoptRuntime(runtime!)
    return device
  },
} satisfies Backend

/** Native code runs only where every instruction set that it may use is present. */
function checkNeeds(needs: CpuNeeds, refuse: Refuse): void {
  const here = cpuNeeds()
  if (needs.platform !== here.platform || needs.arch !== here.arch) {
    const [made, wanted] = [needs, here].map(({ platform, arch }) => `${platform} on ${arch}`)
    refuse(`compiled for ${made}, this is ${wanted}`, 'export it on a machine of this kind')
  }
  if (needs.runtime !== here.runtime) {
    refuse('exported by another build of this version of Tegula', 'export it again with this build')
  }
  const has = new Set(here.flags.split(' '))
  const missing = needs.flags.split(' ').filter(flag => !has.has(flag))
  const unknown = needs.flags === '' && needs.model !== here.model
  if (missing.length === 0 && !unknown) return
  const lacks = unknown ? 'is another' : `lacks ${missing.slice(0, 8).join(', ')}${missing.length > 8 ? ', …' : ''}`
  refuse(`compiled for ${needs.model}; this CPU, ${here.model}, ${lacks}`, 'export it on a CPU of this kind')
}
