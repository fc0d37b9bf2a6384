/** A purpose for which jobs are queued; owned by one service. */
export interface JobQueue<T> {
  /** `service.purpose`, also the queue's name in Redis. */
  name: string;
  /** Jobs of one process that run at the same time. */
  concurrency: number;
  /** How often a job is tried; pauses grow from `backoffSeconds`, doubling. */
  attempts: number;
  backoffSeconds: number;
  /** Type of the data only; never set. */
  data?: T;
}

export const jobQueue = <T>(queue: Pick<JobQueue<T>, 'name'> & Partial<JobQueue<T>>): JobQueue<T> => ({
  concurrency: 1,
  attempts: 5,
  backoffSeconds: 2,
  ...queue,
});
