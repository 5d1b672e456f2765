/** `tegula/data`: data sets, and batches of them for training. */
export { type Collated, collate } from './collate.js'
export {
  ConcatDataset,
  type Dataset,
  type RandomSplitOptions,
  randomSplit,
  Subset,
  TensorDataset,
  type TensorFields,
} from './dataset.js'
export { type Digits, type DigitsOptions, digits } from './digits.js'
export { DataLoader, type DataLoaderOptions, type DataLoaderState, type IterableDataset } from './loader.js'
export { DataError, type WorkerDatasetOptions, workerDataset } from './workers.js'
