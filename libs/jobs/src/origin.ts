import { type Origin, originOfTask } from '@moothall/tracing';
import type { Job, JobsOptions } from 'bullmq';

/** What a job says of the work that queues it: beside its data, in the field that BullMQ has for this. */
export function originOptions(): Pick<JobsOptions, 'telemetry'> {
  const origin = originOfTask();
  return origin.requestId ? { telemetry: { metadata: JSON.stringify(origin) } } : {};
}

/** Of a job of another version, or of none that was followed, nothing is known. */
export function originOf({ opts }: Pick<Job, 'opts'>): Origin {
  try {
    return JSON.parse(opts.telemetry?.metadata ?? '{}');
  } catch {
    return {};
  }
}
