import { type Origin, originOfTask } from '@moothall/tracing';
import type { Job, JobsOptions } from 'bullmq';

/** The origin of a job, beside its data, in the field that BullMQ has for this. */
export function originOptions(): Pick<JobsOptions, 'telemetry'> {
  const origin = originOfTask();
  return origin.requestId ? { telemetry: { metadata: JSON.stringify(origin) } } : {};
}

/** Unknown for a job of another version, or without a trace. */
export function originOf({ opts }: Pick<Job, 'opts'>): Origin {
  try {
    return JSON.parse(opts.telemetry?.metadata ?? '{}');
  } catch {
    return {};
  }
}
