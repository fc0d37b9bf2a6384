export { type JobQueue, jobQueue } from './job-queue';
export { type JobOptions, Jobs } from './jobs';
export { JobsModule } from './jobs.module';
export { connectionOf } from './redis';
export { type SetAsideJob, SetAsideJobs } from './set-aside-jobs';
export { type JobHandler, JobRunner, UnrecoverableError, WorksOn } from './works-on';
