/** A purpose for which jobs are queued; owned by one service. */
export interface JobQueue<T> {
  /** `service.purpose`, also the queue's name in Redis. */
  name: string;
  /** Jobs of one process that run at the same time. */
  concurrency: number;
  /** How often a job is tried; pauses grow from `backoffSeconds`, doubling. */
  attempts: number;
  backoffSeconds: number;
  /**
   * True if the jobs need the disk of a storage and run in its process: each storage has a queue, see {@link
   * queueName}.
   */
  perStorage: boolean;
  /** The caller whose jobs share a limit: callers take turns, and none has more than half of the running jobs. */
  sharedBy?(data: T): string;
  /** Type of the data only; never set. */
  data?: T;
}

export const jobQueue = <T>(queue: Pick<JobQueue<T>, 'name'> & Partial<JobQueue<T>>): JobQueue<T> => ({
  concurrency: 1,
  attempts: 5,
  backoffSeconds: 2,
  perStorage: false,
  ...queue,
});

/** Name in Redis: `service.purpose`, followed by the storage if each has its own. */
export function queueName(queue: JobQueue<unknown>, storage: string | undefined): string {
  if (!queue.perStorage) return queue.name;
  if (!storage) throw new Error(`jobs of ${queue.name} are for a storage, and none was named`);
  return `${queue.name}.${storage}`;
}
