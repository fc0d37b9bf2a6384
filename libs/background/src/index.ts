export { batched, TurnBatcher } from './batcher';
export { eachAtOnce } from './each-at-once';
export { FolderInUse, FolderLock } from './folder-lock';
export { keptFor } from './kept-for';
export { Lease, type LeaseOptions, type LeaseRecord } from './lease';
export { loadOnce } from './load-once';
export { describeOwner, isGone, type Owner, thisProcess } from './owner';
export { Sweeper, type SweeperOptions } from './sweeper';
export { allAlone, eachAlone, type Sweep, Sweeps, sweepsOf } from './sweeps';
