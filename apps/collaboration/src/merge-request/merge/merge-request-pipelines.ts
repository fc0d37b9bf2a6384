import {
  asksForNoPipelines,
  createPipelineOfMergeRequest,
  type EventData,
  type EventRecord,
  ensurePipelineOfMergeRequest,
  forbidden,
  isFeatureOpen,
  mergeRequestChanged,
  type PipelineMergeRequest,
  type ProjectRef,
  repositoryUpdated,
} from '@moothall/contracts';
import { OnEvent, OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Labels } from '../../label/label.repository';
import { ActingUser, type Actor } from '../../user/acting-user';
import { MergeRequestGit } from '../mergeability/merge-request-git';
import { SourceRights } from '../mergeability/source-rights';
import { MergeRequests } from '../record/merge-request.repository';
import type { MergeRequestDocument } from '../record/merge-request.schema';

interface Occasion {
  isSkipped: boolean;
  /** The expected head; any head if absent. */
  head?: string;
}

const branchPrefix = 'refs/heads/';
/** Limit of branches in one push, as in the v4 interface. */
const mostBranches = 4;
/** Limit of merge requests of one branch. */
const mostMergeRequests = 20;
const openedLately = 24 * 60 * 60 * 1000;

/** Pipelines of merge requests: on request, and when they are opened or pushed to. See docs/api/pipelines.md#9. */
@Injectable()
export class MergeRequestPipelines {
  constructor(
    private readonly mergeRequests: MergeRequests,
    private readonly git: MergeRequestGit,
    private readonly rights: SourceRights,
    private readonly acting: ActingUser,
    private readonly labels: Labels,
    private readonly client: OperationClient,
  ) {}

  /** @throws common.forbidden, pipeline.invalid */
  async run(found: MergeRequestDocument, actor: Actor) {
    const source = await this.findSource(found, actor);
    if (!source) throw forbidden();
    const { merge_request } = await this.describe(found, source, actor);
    return this.client.call(createPipelineOfMergeRequest, { merge_request }, { project: source, caller: actor.caller });
  }

  @OnEvent(mergeRequestChanged, 'MergeRequestPipelines-onOpened')
  async onOpened({ data, occurredAt }: EventRecord<EventData<typeof mergeRequestChanged>>): Promise<void> {
    // Events of days ago, as at the first start, need no pipeline.
    if (data.action !== 'open' || Date.now() - Date.parse(occurredAt) > openedLately) return;
    const found = await this.mergeRequests.find(data.merge_request.id);
    if (found) await this.ensure(found, data.user_id, { isSkipped: false });
  }

  @OnEvent(repositoryUpdated, 'MergeRequestPipelines-onPush')
  async onPush({ data }: EventRecord<EventData<typeof repositoryUpdated>>): Promise<void> {
    const { project_id: sourceProjectId, user, push_options: options } = data;
    // Events without options come from a version whose pushes created no pipelines.
    if (!user || !options) return;
    const isSkipped = asksForNoPipelines(options);
    const branches = data.changes.filter(({ ref }) => ref.startsWith(branchPrefix)).slice(0, mostBranches);
    for (const { ref, after } of branches) {
      const concerned = await this.mergeRequests.model
        .find({ sourceProjectId, sourceBranch: ref.slice(branchPrefix.length), state: 'opened' })
        .limit(mostMergeRequests)
        .lean<MergeRequestDocument[]>();
      for (const found of concerned) await this.ensure(found, user.id, { isSkipped, head: after });
    }
  }

  private async ensure(found: MergeRequestDocument, userId: number, { isSkipped, head }: Occasion): Promise<void> {
    const actor = await this.acting.findActive(found.projectId, userId);
    const source = actor && found.state === 'opened' ? await this.findSource(found, actor) : undefined;
    if (!actor || !source) return;
    const { merge_request, head_sha } = await this.describe(found, source, actor);
    // Pushed again meanwhile: that push has its own event.
    if (head_sha === null || (head !== undefined && head_sha !== head)) return;
    // One pipeline per head: the events of a push and of opening may arrive in any order.
    const asked = { merge_request, key: head_sha, is_skipped: isSkipped };
    await this.client.call(ensurePipelineOfMergeRequest, asked, { project: source, caller: actor.caller });
  }

  /** The project that runs them; undefined if the actor may not run pipelines there, or none are configured. */
  private async findSource(found: MergeRequestDocument, { caller }: Actor): Promise<ProjectRef | undefined> {
    const source = await this.rights.findSource(found, caller);
    return source && isFeatureOpen(source, 'builds') ? source : undefined;
  }

  private async describe(found: MergeRequestDocument, source: ProjectRef, { project, caller }: Actor) {
    // Also copies the head to the target project, where its pipeline reads it.
    const { base_sha, head_sha } = await this.git.check(found, project, caller);
    const labels = await this.labels.findByIds(found.labelIds);
    const merge_request: PipelineMergeRequest = {
      id: found._id,
      iid: found.iid,
      title: found.title,
      labels: [...labels.values()].map(({ title }) => title),
      source_branch: found.sourceBranch,
      target_branch: found.targetBranch,
      source_project: { id: source.id, path: source.fullPath },
      target_project: { id: project.id, path: project.fullPath },
      diff_base_sha: base_sha,
    };
    return { merge_request, head_sha };
  }
}
