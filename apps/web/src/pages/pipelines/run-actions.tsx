import { cancelJob, cancelPipeline, type ProjectRef, playJob, retryJob, retryPipeline } from '@moothall/contracts';
import type { Address, TakeForm } from '../../page/page';
import { pathOf } from '../../parts/address';
import { Action } from '../../parts/form';
import { numberIn } from '../../parts/number-in';
import type { Visit } from '../../visit/visits';

/** States of pipelines and jobs that can be cancelled. */
const unfinished = new Set(['created', 'pending', 'running', 'waiting_for_resource', 'preparing', 'scheduled']);
const retryable = new Set(['failed', 'canceled']);

/** Whether a pipeline or a job will run, or runs. */
export const isUnfinished = ({ status }: Run): boolean => unfinished.has(status);

/** A pipeline or a job. */
interface Run {
  status: string;
}

interface Props {
  visit: Visit;
  address: Address;
}

/** Forms for a pipeline; for visitors who may send them. */
export const PipelineActions = ({ pipeline, ...form }: Props & { pipeline: Run }) => (
  <div class="parts">
    {isUnfinished(pipeline) && <Action {...form} name="cancel" word="Cancel the pipeline" look="quiet" />}
    {retryable.has(pipeline.status) && <Action {...form} name="retry" word="Retry the failed jobs" look="quiet" />}
  </div>
);

export const pipelineForms: Readonly<Record<string, TakeForm<ProjectRef>>> = Object.fromEntries(
  Object.entries({ cancel: cancelPipeline, retry: retryPipeline }).map(([name, operation]) => [
    name,
    async (visit, project, address) => {
      const asked = { id: String(project.id), pipeline_id: numberIn(address, 'id') };
      return pathOf((await visit.ask(operation, asked)).web_url);
    },
  ]),
);

/** The same for a job. */
export const JobActions = ({ job, ...form }: Props & { job: Run }) => (
  <div class="parts">
    {isUnfinished(job) && <Action {...form} name="cancel" word="Cancel the job" look="quiet" />}
    {['manual', 'scheduled'].includes(job.status) && <Action {...form} name="play" word="Run the job" look="quiet" />}
    {['success', ...retryable].includes(job.status) && (
      <Action {...form} name="retry" word="Retry the job" look="quiet" />
    )}
  </div>
);

/** The next page is that of the job, or of the one in its place. */
export const jobForms: Readonly<Record<string, TakeForm<ProjectRef>>> = Object.fromEntries(
  Object.entries({ cancel: cancelJob, play: playJob, retry: retryJob }).map(([name, operation]) => [
    name,
    async (visit, project, address) => {
      const asked = { id: String(project.id), job_id: numberIn(address, 'id') };
      return pathOf((await visit.submit(operation, asked)).web_url);
    },
  ]),
);
