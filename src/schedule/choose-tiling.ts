/** Block sizes for the target at hand. */
import type { Target } from '../target/target.js'
import type { Axes } from './axes.js'
import type { Body } from './body.js'
import { cpuTiling } from './cpu-tiling.js'
import { cudaTiling } from './cuda-tiling.js'
import type { Tiling, TilingLimits } from './tiling.js'

export const chooseTiling = (body: Body, axes: Axes, target: Target, limits: TilingLimits): Tiling =>
  target.kind === 'cpu' ? cpuTiling(body, axes, target, limits) : cudaTiling(body, axes, target, limits.cuda)
