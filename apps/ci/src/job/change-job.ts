import {
  type ContextOf,
  cancelJob,
  eraseJob,
  invalidRecord,
  type ParsedOf,
  type ProjectRef,
  playJob,
  retryJob,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { SecretBox } from '@moothall/secrets';
import { Controller } from '@nestjs/common';
import { cancel, erase, jobOf, play, repeat } from '../pipeline/job-transitions';
import { Pipelines, type Transition } from '../pipeline/pipeline.repository';
import { requireActive, requireMaker } from '../pipeline/pipeline-rules';
import { sealVariable } from '../schedule-variable/sealed-variable';
import { keyProblems } from '../schedule-variable/variable-rules';
import { Traces } from '../trace/trace.repository';
import { JobViews } from './job.view';

type Target = ContextOf<typeof cancelJob>;

@Controller()
export class ChangeJob {
  constructor(
    private readonly pipelines: Pipelines,
    private readonly traces: Traces,
    private readonly views: JobViews,
    private readonly box: SecretBox,
  ) {}

  @Handles(cancelJob)
  async cancel({ project }: Target, { job_id }: ParsedOf<typeof cancelJob>) {
    return this.change(project, job_id, cancel(job_id));
  }

  @Handles(playJob)
  async play({ project, caller }: Target, { job_id, job_variables_attributes }: ParsedOf<typeof playJob>) {
    const problems = job_variables_attributes.flatMap(({ key }) => keyProblems(key));
    if (problems.length > 0) throw invalidRecord({ key: [...new Set(problems)] });
    const variables = job_variables_attributes.map((variable) => sealVariable(this.box, variable));
    return this.change(project, job_id, play(job_id, caller.id, variables));
  }

  /** The answer is the job that takes its place. */
  @Handles(retryJob)
  async retry({ project, caller }: Target, { job_id }: ParsedOf<typeof retryJob>) {
    const newId = await this.pipelines.takeJobIds(1);
    return this.change(project, job_id, repeat(job_id, newId, caller.id), newId);
  }

  @Handles(eraseJob)
  async erase({ project, caller }: Target, { job_id }: ParsedOf<typeof eraseJob>) {
    const { userId } = await this.pipelines.getOfJob(job_id, project.id);
    requireMaker(project, caller, userId);
    const view = await this.change(project, job_id, erase(job_id));
    await this.traces.remove([job_id]);
    return view;
  }

  private async change(project: ProjectRef, jobId: number, transition: Transition, answeredId = jobId) {
    requireActive(project);
    const { _id } = await this.pipelines.getOfJob(jobId, project.id);
    const pipeline = await this.pipelines.change(_id, transition);
    return this.views.one(jobOf(pipeline.jobs, answeredId), pipeline, project);
  }
}
