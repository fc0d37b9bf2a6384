import {
  type Caller,
  commonErrors,
  getPipeline,
  isError,
  isFeatureOpen,
  isReadable,
  listPipelinesOfRefs,
  mergeRequestRef,
  type OutputOf,
  type PipelineStatus,
  type ProjectRef,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { ActingUser } from '../../user/acting-user';
import type { MergeRequestDocument } from '../record/merge-request.schema';

type Branches = Pick<MergeRequestDocument, 'projectId' | 'iid' | 'sourceProjectId' | 'sourceBranch'>;
type Summary = OutputOf<typeof listPipelinesOfRefs>['items'][number];

const active: PipelineStatus[] = ['created', 'waiting_for_resource', 'preparing', 'pending', 'running'];
export const isActive = ({ status }: { status: PipelineStatus }): boolean => active.includes(status);

/** Pipelines of a merge request's source branch that the caller may see. */
@Injectable()
export class HeadPipeline {
  constructor(
    private readonly client: OperationClient,
    private readonly acting: ActingUser,
  ) {}

  async findPage(
    branches: Branches,
    project: ProjectRef,
    caller: Caller | undefined,
    paging: { page?: number; per_page?: number },
  ) {
    const source = await this.findSource(branches, project, caller);
    if (!source) return { items: [], total: 0 };
    return this.client.call(listPipelinesOfRefs, { refs: refsOf(branches), ...paging }, { project: source, caller });
  }

  /** The newest pipeline of the head; undefined if there is none, or if the caller may not see it. */
  async findLatest(
    mergeRequest: Branches & Pick<MergeRequestDocument, 'headSha'>,
    project: ProjectRef,
    caller: Caller | undefined,
  ): Promise<Summary | undefined> {
    const { headSha: sha } = mergeRequest;
    const source = sha ? await this.findSource(mergeRequest, project, caller) : undefined;
    if (!source || !sha) return undefined;
    const asked = { refs: refsOf(mergeRequest), sha, per_page: 1 };
    const found = await this.client.call(listPipelinesOfRefs, asked, { project: source, caller }).catch(unlessHidden);
    return found?.items[0];
  }

  /** A pipeline with the fields of a single one. */
  async readDetail({ id, project_id }: Summary, project: ProjectRef, caller: Caller | undefined) {
    const source = await this.findSource({ sourceProjectId: project_id }, project, caller);
    if (!source) return undefined;
    const asked = { id: String(source.id), pipeline_id: id };
    return this.client.call(getPipeline, asked, { project: source, caller }).catch(unlessHidden);
  }

  private async findSource(
    { sourceProjectId }: Pick<Branches, 'sourceProjectId'>,
    project: ProjectRef,
    caller: Caller | undefined,
  ) {
    const source = sourceProjectId === project.id ? project : await this.findElsewhere(sourceProjectId, caller);
    // The ci service relies on this access check.
    return source && isReadable(source, caller) && isFeatureOpen(source, 'builds') ? source : undefined;
  }

  private async findElsewhere(projectId: number | null, caller: Caller | undefined): Promise<ProjectRef | undefined> {
    return projectId !== null && caller ? this.acting.findProject(caller, projectId) : undefined;
  }
}

/** Refs of the branch and of the merge request itself; a fork uses its branch for the latter, too. */
const refsOf = ({ projectId, iid, sourceProjectId, sourceBranch }: Branches): string[] =>
  sourceProjectId === projectId ? [sourceBranch, mergeRequestRef(iid)] : [sourceBranch];

/** A merge request is also shown if the caller may not see its pipelines, or the ci service is not running. */
function unlessHidden(error: unknown): undefined {
  const hidden = [commonErrors.forbidden, commonErrors.notFound, commonErrors.unavailable];
  if (!hidden.some((each) => isError(error, each))) throw error;
}
