export { type Limits, OutOfBounds, WorkerPool } from './worker-pool';
