export { FairQueue, type FairQueueOptions, type Slot } from './fair-queue';
export { type Limits, OutOfBounds, type TaskOptions, WorkerPool } from './worker-pool';
