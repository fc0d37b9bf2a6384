import {
  type ContextOf,
  getJob,
  getJobTrace,
  type JobStatus,
  jobErrors,
  jobStatuses,
  listJobs,
  listPipelineJobs,
  type ParsedOf,
  pageOf,
  readJobLogEnd,
} from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { jobOf } from '../pipeline/job-transitions';
import { Pipelines } from '../pipeline/pipeline.repository';
import { requireReader, requireReaderOr } from '../pipeline/pipeline-rules';
import { presignTraceUrl, serveTraces } from '../trace/serve-trace';
import { Traces } from '../trace/trace.repository';
import { JobViews } from './job.view';
import { isInScope, JobList, jobsThat, placedJobs } from './job-list';

@Controller()
export class ReadJobs {
  constructor(
    private readonly pipelines: Pipelines,
    private readonly jobs: JobList,
    private readonly views: JobViews,
    private readonly dataPort: DataPort,
    private readonly traces: Traces,
  ) {
    serveTraces(dataPort, traces);
  }

  @Handles(listJobs)
  async list({ project, caller }: ContextOf<typeof listJobs>, input: ParsedOf<typeof listJobs>) {
    requireReader(project, caller);
    const isMeant = isInScope(input.scope);
    const states = input.scope.length > 0 ? { 'jobs.status': { $in: statesOf(input.scope) } } : {};
    const { items, total } = await this.jobs.page(
      { projectId: project.id, ...states },
      jobsThat((job) => !job.isBridge && isMeant(job)),
      input,
    );
    return { items: await this.views.many(items, () => project), total };
  }

  @Handles(listPipelineJobs)
  async listOfPipeline(
    { project, caller }: ContextOf<typeof listPipelineJobs>,
    input: ParsedOf<typeof listPipelineJobs>,
  ) {
    requireReader(project, caller);
    const isMeant = isInScope(input.scope);
    const placed = placedJobs(await this.pipelines.get(project.id, input.pipeline_id)).filter(
      ({ job }) => !job.isBridge && (input.include_retried || !job.isRetried) && isMeant(job),
    );
    const { items, total } = pageOf(placed, input);
    return { items: await this.views.many(items, () => project), total };
  }

  @Handles(getJob)
  async get({ project }: ContextOf<typeof getJob>, { job_id }: ParsedOf<typeof getJob>) {
    requireReaderOr(project, jobErrors.notFound);
    const pipeline = await this.pipelines.getOfJob(job_id, project.id);
    return this.views.one(jobOf(pipeline.jobs, job_id), pipeline, project);
  }

  @Handles(getJobTrace)
  async trace({ project }: ContextOf<typeof getJobTrace>, { job_id }: ParsedOf<typeof getJobTrace>) {
    requireReaderOr(project, jobErrors.notFound);
    await this.pipelines.getOfJob(job_id, project.id);
    return presignTraceUrl(this.dataPort, job_id);
  }

  @Handles(readJobLogEnd)
  async logEnd({ project }: ContextOf<typeof readJobLogEnd>, { job_id, bytes }: ParsedOf<typeof readJobLogEnd>) {
    requireReaderOr(project, jobErrors.notFound);
    await this.pipelines.getOfJob(job_id, project.id);
    // One byte more tells whether there is more.
    const end = await this.traces.tail(job_id, bytes + 1);
    if (end.length <= bytes) return { text: end.toString(), is_whole: true };
    const text = end.toString();
    const begin = text.indexOf('\n') + 1;
    // A last line without an end of its own is shown as far as it is known.
    return { text: begin < text.length ? text.slice(begin) : text, is_whole: false };
  }
}

/** Clients also request states that no job has here. */
const statesOf = (scope: readonly string[]): JobStatus[] => jobStatuses.filter((status) => scope.includes(status));
