/** Structures of the driver API as 64-bit systems lay them out, in words of 8 bytes. `halves` are 4-byte fields. */

/** CUlaunchConfig */
export const launchConfig = {
  words: 7,
  /** Halves: grid x, y, z, block x, y, z, dynamic shared bytes. */
  gridX: 0,
  blockX: 3,
  sharedBytes: 6,
  stream: 4,
  attributes: 5,
  attributeCount: 6,
} as const

/** CUlaunchAttribute of programmatic dependent launch. */
export const startEarly = {
  words: 9,
  /** CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION */
  id: 6,
  value: 1,
} as const

/** CUgraphEdgeData, a word: programmatic dependent launch between two nodes of a graph (port and type). */
export const earlyEdge = 0x010001

/** The `extra` of a launch: address and size of the packed arguments. */
export const launchExtra = {
  words: 6,
  bufferPointer: 1,
  bufferSize: 2,
  end: 0,
} as const

/** CUDA_KERNEL_NODE_PARAMS (version 2) */
export const kernelNode = {
  words: 9,
  kernel: 0,
  /** Halves: grid x, y, z, block x, y, z, dynamic shared bytes. */
  gridX: 2,
  blockX: 5,
  sharedBytes: 8,
  arguments: 5,
  extra: 6,
} as const

/** CUDA_MEMSET_NODE_PARAMS */
export const memsetNode = {
  words: 5,
  target: 0,
  /** Halves. */
  value: 4,
  elementBytes: 5,
  width: 3,
  height: 4,
} as const

/** CUDA_MEMCPY3D */
export const memcpyNode = {
  words: 25,
  sourceKind: 4,
  source: 6,
  targetKind: 15,
  target: 17,
  width: 22,
  height: 23,
  depth: 24,
  /** CU_MEMORYTYPE_DEVICE */
  device: 2,
} as const
