export { FairQueue, type FairQueueOptions, type Place } from './fair-queue';
export { type Limits, OutOfBounds, type TaskOptions, WorkerPool } from './worker-pool';
