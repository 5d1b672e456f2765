/** `tegula/debug`: what is behind a wrong number. */
export type { Anomaly } from './anomaly.js'
export { type BisectOptions, type BisectReport, bisect, type Culprit, checkSubgraph } from './bisect.js'
export type { MakeNode, Subgraph, SubgraphInput, SubgraphNode } from './reproduction.js'
export type { CompilerParts } from './stages.js'
