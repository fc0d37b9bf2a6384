import {
  Access,
  type Caller,
  type ContextOf,
  deleteRunner,
  forbidden,
  getRunner,
  isReadable,
  listAllRunners,
  listOwnRunners,
  listProjectRunners,
  listRunnerJobs,
  type ParsedOf,
  type ProjectRef,
  reaches,
  runnerErrors,
  updateRunner,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import type { QueryFilter } from 'mongoose';
import { JobViews } from '../../job/job.view';
import { JobList, jobsThat } from '../../job/job-list';
import { Runners } from '../runner.repository';
import type { Runner } from '../runner.schema';
import { viewRunner, viewRunnerDetail } from '../runner.view';
import { RunnerProjects } from '../runner-projects';
import { runnerChanges } from '../runner-rules';

type Filters = Pick<ParsedOf<typeof listAllRunners>, 'type' | 'paused' | 'tag_list' | 'page' | 'per_page'>;

/** A number that no project has. */
const noProject = Number.MAX_SAFE_INTEGER;

@Controller()
export class ManageRunners {
  constructor(
    private readonly runners: Runners,
    private readonly projects: RunnerProjects,
    private readonly jobs: JobList,
    private readonly jobViews: JobViews,
  ) {}

  @Handles(listAllRunners)
  async listAll(_context: ContextOf<typeof listAllRunners>, input: ParsedOf<typeof listAllRunners>) {
    return this.page({}, input);
  }

  @Handles(listOwnRunners)
  async listOwn({ caller }: ContextOf<typeof listOwnRunners>, input: ParsedOf<typeof listOwnRunners>) {
    return this.page({ creatorId: caller.id }, input);
  }

  @Handles(listProjectRunners)
  async listOfProject({ project }: ContextOf<typeof listProjectRunners>, input: ParsedOf<typeof listProjectRunners>) {
    return this.page({ projectId: { $in: [project.id, null] } }, input);
  }

  private async page(filter: QueryFilter<Runner>, input: Filters) {
    const { items, total } = await this.runners.page({ $and: [filter, filterOf(input)] }, input);
    return { items: items.map(viewRunner), total };
  }

  @Handles(getRunner)
  async get({ caller }: ContextOf<typeof getRunner>, { runner_id }: ParsedOf<typeof getRunner>) {
    const { runner, project } = await this.allowed(runner_id, caller, 'read_runners');
    return viewRunnerDetail(runner, project);
  }

  @Handles(updateRunner)
  async update({ caller }: ContextOf<typeof updateRunner>, { runner_id, ...given }: ParsedOf<typeof updateRunner>) {
    const { project } = await this.allowed(runner_id, caller, 'admin_runners');
    return viewRunnerDetail(await this.runners.change(runner_id, runnerChanges(given)), project);
  }

  @Handles(deleteRunner)
  async delete(
    { caller }: ContextOf<typeof deleteRunner>,
    { runner_id }: ParsedOf<typeof deleteRunner>,
  ): Promise<void> {
    await this.allowed(runner_id, caller, 'admin_runners');
    await this.runners.remove(runner_id);
  }

  @Handles(listRunnerJobs)
  async listJobs({ caller }: ContextOf<typeof listRunnerJobs>, input: ParsedOf<typeof listRunnerJobs>) {
    const { runner } = await this.allowed(input.runner_id, caller, 'read_runners');
    const { items, total } = await this.jobs.page(
      { 'jobs.runnerId': runner._id },
      jobsThat((job) => job.runnerId === runner._id && (!input.status || job.status === input.status)),
      input,
    );
    const projects = await this.projects.many(items.map(({ pipeline }) => pipeline.projectId));
    return { items: await this.jobViews.many(items, (id) => projects.get(id) ?? { id, fullPath: '' }), total };
  }

  /**
   * @throws runner.not_found, also if the caller may not read its project; common.forbidden. See
   * docs/api/pipelines.md#14.
   */
  private async allowed(
    id: number,
    caller: Caller,
    ability: 'read_runners' | 'admin_runners',
  ): Promise<{ runner: Runner; project: ProjectRef | undefined }> {
    const runner = await this.runners.find(id);
    // A missing record needs as many calls as a hidden one.
    const project = await this.projects.find(runner?.projectId ?? noProject, caller);
    const isKnown = runner?.projectId === null || (project !== undefined && isReadable(project, caller));
    const isOwn = caller.isAdmin || runner?.creatorId === caller.id;
    if (!runner || !(isKnown || isOwn)) throw runnerErrors.notFound();
    const mayThere = project !== undefined && reaches(project, Access.Maintainer, ability);
    if (!isOwn && !mayThere) throw forbidden();
    return { runner, project };
  }
}

function filterOf({ type, paused, tag_list }: Filters): QueryFilter<Runner> {
  return {
    ...(type && { projectId: type === 'instance_type' ? null : { $ne: null } }),
    ...(paused !== undefined && { isPaused: paused }),
    ...(tag_list && tag_list.length > 0 && { tags: { $all: tag_list } }),
  };
}
