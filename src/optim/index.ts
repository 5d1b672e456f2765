/** `tegula/optim`: optimisers, learning-rate schedules, and what trains in low precision. */
export { Adadelta, type AdadeltaOptions } from './adadelta.js'
export { Adagrad, type AdagradOptions } from './adagrad.js'
export { Adam, type AdamOptions, AdamW } from './adam.js'
export {
  Adamax,
  type AdamaxOptions,
  NAdam,
  type NAdamOptions,
  RAdam,
  type RAdamOptions,
} from './adam-variants.js'
export { ASGD, type ASGDOptions } from './asgd.js'
export {
  AveragedModel,
  type AveragedModelOptions,
  type SWALROptions,
  swaLR,
  type UpdateBNOptions,
  updateBN,
} from './averaged.js'
export { GradScaler, type GradScalerOptions, type GradScalerState } from './grad-scaler.js'
export { type ClipGradNormOptions, clipGradNorm, clipGradValue } from './gradients.js'
export type { ParamGroup } from './group.js'
export { LBFGS, type LBFGSOptions, type LBFGSState, type LBFGSStateDict } from './lbfgs.js'
export { Lion, type LionOptions } from './lion.js'
export { Muon, type MuonMatrixOptions, type MuonOptions } from './muon.js'
export { type GroupOptions, Optimizer, type Parameters, type ZeroGradOptions } from './optimizer.js'
export { type PlateauOptions, type PlateauState, ReduceLROnPlateau } from './plateau.js'
export { RMSprop, type RMSpropOptions } from './rmsprop.js'
export { Rprop, type RpropOptions } from './rprop.js'
export { Schedule, type Scheduled, type ScheduledGroup, type ScheduleState } from './schedule.js'
export {
  type ConstantOptions,
  type CosineOptions,
  type CosineRestartsOptions,
  type CyclicOptions,
  constant,
  cosine,
  cosineRestarts,
  cyclic,
  type DecayOptions,
  exponential,
  type Factor,
  type LinearOptions,
  lambda,
  linear,
  multiplicative,
  multiStep,
  type OneCycleOptions,
  oneCycle,
  type PolynomialOptions,
  polynomial,
  sequential,
  stepLR,
} from './schedules.js'
export { SGD, type SGDOptions } from './sgd.js'
export type { OptimizerStateDict } from './state-dict.js'
