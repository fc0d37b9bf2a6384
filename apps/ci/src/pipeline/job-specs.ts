import { present } from '@moothall/contracts';
import type { JobSpec } from '../pipeline-file/job-spec';
import type { Job, Pipeline } from './pipeline.schema';

/** The work of a job, of a pipeline that was read with its `specs`. */
export function specOf({ specs }: Pick<Pipeline, 'specs'>, { name }: Pick<Job, 'name'>): JobSpec {
  const byName: Record<string, JobSpec> = JSON.parse(specs ?? '{}');
  return present(byName[name], `what ${name} does`);
}
