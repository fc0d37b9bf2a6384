export { FairQueue, type FairQueueOptions, type Slot } from './fair-queue';
export { InThreads, threadFailures } from './in-threads';
export { type Limits, OutOfBounds, type TaskOptions, ThreadFailed, WorkerPool } from './worker-pool';
