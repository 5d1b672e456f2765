/** The driver's result codes for users: what each means here, what to do, and whether the context survives it. */

export interface ResultMeaning {
  readonly name: string
  /** Completes "cuda:0: …". */
  readonly meaning: string
  readonly fix: string
  /** Caused by a kernel some time ago; the context is lost. */
  readonly lost?: true
}

const newProcess = 'start a new process'
const findKernel = 'set TEGULA_CUDA_SYNC=1 to find the kernel, check its indices, and start a new process'
const report = 'this is a bug in Tegula: please report it'
const restart = 'reboot, or reload the NVIDIA kernel modules; `nvidia-smi` tells more'

const table: { readonly [code: number]: ResultMeaning } = {
  1: { name: 'INVALID_VALUE', meaning: 'the driver refuses a value', fix: report },
  2: {
    name: 'OUT_OF_MEMORY',
    meaning: 'the memory is used up',
    fix: 'dispose of tensors that are no longer needed, wrap work in scope(), or use smaller batches',
  },
  3: { name: 'NOT_INITIALIZED', meaning: 'the driver is not initialised', fix: report },
  4: { name: 'DEINITIALIZED', meaning: 'the driver is shutting down', fix: 'use no tensors while the process exits' },
  34: {
    name: 'STUB_LIBRARY',
    meaning: 'it is only a stub for linking',
    fix: "take the toolkit's stubs folder off LD_LIBRARY_PATH; the real libcuda comes with the driver",
  },
  36: { name: 'CALL_REQUIRES_NEWER_DRIVER', meaning: 'the driver is too old', fix: 'update the NVIDIA driver' },
  46: {
    name: 'DEVICE_UNAVAILABLE',
    meaning: 'another process has the device for itself (exclusive compute mode)',
    fix: 'end the other process, or ask an administrator for `nvidia-smi -c DEFAULT`',
  },
  100: {
    name: 'NO_DEVICE',
    meaning: 'the driver finds no GPU',
    fix: "check `nvidia-smi` and CUDA_VISIBLE_DEVICES (a container must be given the GPU), or use device 'cpu'",
  },
  101: { name: 'INVALID_DEVICE', meaning: 'there is no device of that index', fix: 'use an index that is there' },
  200: { name: 'INVALID_IMAGE', meaning: 'the driver cannot read the compiled module', fix: report },
  201: { name: 'INVALID_CONTEXT', meaning: 'no context is current on this thread', fix: report },
  209: {
    name: 'NO_BINARY_FOR_GPU',
    meaning: 'the code is made for another GPU',
    fix: 'compile for this device: an exported artifact runs on the architecture that it was made for',
  },
  214: {
    name: 'ECC_UNCORRECTABLE',
    meaning: 'the memory had an error that could not be corrected',
    fix: restart,
    lost: true,
  },
  218: { name: 'INVALID_PTX', meaning: 'the assembler refuses the code', fix: report },
  220: { name: 'NVLINK_UNCORRECTABLE', meaning: 'NVLink had an error', fix: restart, lost: true },
  221: {
    name: 'JIT_COMPILER_NOT_FOUND',
    meaning: "the driver's assembler (libnvidia-ptxjitcompiler) is missing",
    fix: 'install the whole driver; in a container, NVIDIA_DRIVER_CAPABILITIES must include compute',
  },
  222: {
    name: 'UNSUPPORTED_PTX_VERSION',
    meaning: 'the driver is too old for the code',
    fix: 'update the NVIDIA driver',
  },
  223: {
    name: 'JIT_COMPILATION_DISABLED',
    meaning: "the driver's assembler is turned off",
    fix: 'unset CUDA_DISABLE_PTX_JIT',
  },
  304: { name: 'OPERATING_SYSTEM', meaning: 'the operating system refused', fix: 'see the system log' },
  400: { name: 'INVALID_HANDLE', meaning: 'a handle is not valid (any more)', fix: report },
  401: { name: 'ILLEGAL_STATE', meaning: 'something is used before it is ready', fix: report },
  500: { name: 'NOT_FOUND', meaning: 'the module has nothing of that name', fix: report },
  600: { name: 'NOT_READY', meaning: 'the work is not done yet', fix: report },
  700: {
    name: 'ILLEGAL_ADDRESS',
    meaning: 'a kernel touched memory that is not allocated',
    fix: findKernel,
    lost: true,
  },
  701: {
    name: 'LAUNCH_OUT_OF_RESOURCES',
    meaning: 'a block needs more registers or shared memory than the device has',
    fix: 'use smaller tiles or fewer warps',
  },
  702: {
    name: 'LAUNCH_TIMEOUT',
    meaning: 'a kernel ran longer than the system allows (a display is attached)',
    fix: `make kernels shorter, or turn the watchdog off; ${newProcess}`,
    lost: true,
  },
  709: { name: 'CONTEXT_IS_DESTROYED', meaning: 'the context is gone', fix: newProcess, lost: true },
  710: { name: 'ASSERT', meaning: 'a kernel failed an assertion', fix: findKernel, lost: true },
  714: { name: 'HARDWARE_STACK_ERROR', meaning: "a kernel's call stack is corrupt", fix: findKernel, lost: true },
  715: {
    name: 'ILLEGAL_INSTRUCTION',
    meaning: 'a kernel ran an illegal instruction',
    fix: `${report}; ${newProcess}`,
    lost: true,
  },
  716: { name: 'MISALIGNED_ADDRESS', meaning: 'a kernel used a misaligned address', fix: findKernel, lost: true },
  717: {
    name: 'INVALID_ADDRESS_SPACE',
    meaning: 'a kernel used an address of another memory',
    fix: findKernel,
    lost: true,
  },
  718: { name: 'INVALID_PC', meaning: 'a kernel jumped to a place without code', fix: findKernel, lost: true },
  719: { name: 'LAUNCH_FAILED', meaning: 'a kernel failed', fix: findKernel, lost: true },
  800: { name: 'NOT_PERMITTED', meaning: 'the driver does not permit this', fix: report },
  801: {
    name: 'NOT_SUPPORTED',
    meaning: 'the device or driver does not support this',
    fix: 'update the NVIDIA driver',
  },
  802: {
    name: 'SYSTEM_NOT_READY',
    meaning: 'the system is not ready for CUDA (on NVSwitch machines the fabric manager must run)',
    fix: restart,
  },
  803: {
    name: 'SYSTEM_DRIVER_MISMATCH',
    meaning: "the library and the kernel's driver have different versions",
    fix: 'reboot after a driver update; in a container, use the libcuda of the host',
  },
  804: {
    name: 'COMPAT_NOT_SUPPORTED_ON_DEVICE',
    meaning: 'the compatibility library does not support this GPU',
    fix: 'take the cuda-compat folder off LD_LIBRARY_PATH',
  },
  900: {
    name: 'STREAM_CAPTURE_UNSUPPORTED',
    meaning: 'this is not possible while a graph is captured',
    fix: 'do it before or after captureGraph',
  },
  901: {
    name: 'STREAM_CAPTURE_INVALIDATED',
    meaning: 'the capture was spoiled by an earlier error',
    fix: 'see the first error',
  },
  904: {
    name: 'STREAM_CAPTURE_UNJOINED',
    meaning: 'a stream that took part in the capture was not joined',
    fix: report,
  },
  905: {
    name: 'STREAM_CAPTURE_ISOLATION',
    meaning: 'captured work depends on work outside the capture',
    fix: 'queue that work before captureGraph, or inside it',
  },
  906: { name: 'STREAM_CAPTURE_IMPLICIT', meaning: 'the default stream was used in a capture', fix: report },
  907: { name: 'CAPTURED_EVENT', meaning: 'an event of a capture was waited for', fix: 'wait for it after replay()' },
  910: { name: 'GRAPH_EXEC_UPDATE_FAILURE', meaning: 'a graph cannot be changed like this', fix: report },
  999: {
    name: 'UNKNOWN',
    meaning: 'the driver failed without a reason',
    fix: 'see `nvidia-smi` and the system log; after suspend, reload the nvidia_uvm module',
  },
}

/** Describes a result. Unexpected codes keep their number. */
export function explainResult(code: number): ResultMeaning {
  return table[code] ?? { name: `code ${code}`, meaning: 'the driver failed', fix: report }
}

/** 'CUDA_ERROR_ILLEGAL_ADDRESS' */
export function resultName(code: number): string {
  const known = table[code]
  return known === undefined ? `CUresult ${code}` : `CUDA_ERROR_${known.name}`
}

/** Results that programs act on. */
export const results = {
  success: 0,
  requiresNewerDriver: 36,
  invalidValue: 1,
  outOfMemory: 2,
  invalidContext: 201,
  noBinaryForGpu: 209,
  invalidPtx: 218,
  unsupportedPtxVersion: 222,
  notFound: 500,
  notReady: 600,
  launchOutOfResources: 701,
  captureInvalidated: 901,
} as const
