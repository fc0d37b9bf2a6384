import {
  type ContextOf,
  cancelJob,
  eraseJob,
  invalidRecord,
  type ParsedOf,
  playJob,
  retryJob,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { SecretBox } from '@moothall/secrets';
import { Controller } from '@nestjs/common';
import { Artifacts } from '../artifact/artifact.repository';
import { DeployRights } from '../environment/deploy-rights';
import { cancel, erase, jobOf, play, repeat } from '../pipeline/job-transitions';
import { Pipelines, type Transition } from '../pipeline/pipeline.repository';
import { requireActive, requireMaker } from '../pipeline/pipeline-rules';
import { RefRights } from '../pipeline/ref-rights';
import { Traces } from '../trace/trace.repository';
import { sealVariable } from '../variable/sealed-variable';
import { keyProblems } from '../variable/variable-rules';
import { JobViews } from './job.view';

type Target = ContextOf<typeof cancelJob>;

@Controller()
export class ChangeJob {
  constructor(
    private readonly pipelines: Pipelines,
    private readonly refs: RefRights,
    private readonly traces: Traces,
    private readonly artifacts: Artifacts,
    private readonly views: JobViews,
    private readonly box: SecretBox,
    private readonly deploys: DeployRights,
  ) {}

  @Handles(cancelJob)
  async cancel(context: Target, { job_id }: ParsedOf<typeof cancelJob>) {
    return this.change(context, job_id, cancel(job_id));
  }

  @Handles(playJob)
  async play(context: Target, { job_id, job_variables_attributes }: ParsedOf<typeof playJob>) {
    const problems = job_variables_attributes.flatMap(({ key }) => keyProblems(key));
    if (problems.length > 0) throw invalidRecord({ key: [...new Set(problems)] });
    const variables = job_variables_attributes.map((variable) => sealVariable(this.box, variable));
    await this.requireDeployer(context, job_id);
    return this.change(context, job_id, play(job_id, context.caller.id, variables));
  }

  /** The answer is the job that replaces it. */
  @Handles(retryJob)
  async retry(context: Target, { job_id }: ParsedOf<typeof retryJob>) {
    await this.requireDeployer(context, job_id);
    const newId = await this.pipelines.takeJobIds(1);
    return this.change(context, job_id, repeat(job_id, newId, context.caller.id), newId);
  }

  @Handles(eraseJob)
  async erase(context: Target, { job_id }: ParsedOf<typeof eraseJob>) {
    const { project, caller } = context;
    const { userId } = await this.pipelines.getOfJob(job_id, project.id);
    requireMaker(project, caller, userId);
    // Stored first: an erased job shows nothing, even if the process is killed here and the request repeated.
    await this.change(context, job_id, erase(job_id));
    await this.traces.remove([job_id]);
    await this.artifacts.removeOfJobs([job_id]);
    const pipeline = await this.pipelines.getOfJob(job_id, project.id);
    return this.views.one(jobOf(pipeline.jobs, job_id), pipeline, project);
  }

  /** @throws environment.is_protected, which would otherwise fail the job when a runner gets it */
  private async requireDeployer({ project, caller }: Target, jobId: number): Promise<void> {
    const { jobs } = await this.pipelines.getOfJob(jobId, project.id);
    const { environment } = jobOf(jobs, jobId);
    const deployer = { ...caller, accessLevel: project.accessLevel };
    if (environment) await this.deploys.require(project, environment, deployer);
  }

  private async change({ project, caller }: Target, jobId: number, transition: Transition, answeredId = jobId) {
    requireActive(project);
    const { _id, ref } = await this.pipelines.getOfJob(jobId, project.id);
    await this.refs.require(project, caller, ref);
    const pipeline = await this.pipelines.change(_id, transition);
    return this.views.one(jobOf(pipeline.jobs, answeredId), pipeline, project);
  }
}
