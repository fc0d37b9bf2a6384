export { AllQueues, type Deletion, type FailedJob } from './all-queues';
export { type JobQueue, jobQueue } from './job-queue';
export { type JobOptions, Jobs } from './jobs';
export { JobsModule, type JobsOptions } from './jobs.module';
export type { QueueCount, QueueState } from './queue-counts';
export type { JobCounts, QueueLength, WorkingProcess } from './queue-metrics';
export { connectionOf } from './redis';
export { type WaitingJob, WaitingJobs } from './waiting-jobs';
export { type JobHandler, type JobOutcome, JobRunner, UnrecoverableError, WorksOn } from './works-on';
