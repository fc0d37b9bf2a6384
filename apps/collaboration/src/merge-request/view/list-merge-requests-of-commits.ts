import {
  type ContextOf,
  isError,
  listCommits,
  mergeCommits,
  mergeRequestsOfCommits,
  type OutputOf,
  type ParsedOf,
  type ProjectRef,
} from '@moothall/contracts';
import { findPage } from '@moothall/database';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import type { MergeRequestDocument } from '../record/merge-request.schema';
import { MergeRequestViews } from './merge-request-views';

type Asked = ParsedOf<typeof mergeRequestsOfCommits>;

const mostCommits = 1000;
const perPage = 100;
const revisionGone = { code: 'git.revision_not_found' };

/** The merge requests of a range of commits, for example of a deployment. See docs/api/deployments.md#4. */
@Controller()
export class ListMergeRequestsOfCommits {
  constructor(
    @InjectModel('MergeRequest') private readonly mergeRequests: Model<MergeRequestDocument>,
    private readonly client: OperationClient,
    private readonly views: MergeRequestViews,
  ) {}

  @Handles(mergeRequestsOfCommits)
  async handle({ project, caller }: ContextOf<typeof mergeRequestsOfCommits>, input: Asked) {
    const $in = await this.commitsOf(project, input);
    const merged = { projectId: project.id, state: 'merged' as const };
    const filter: QueryFilter<MergeRequestDocument> = {
      ...merged,
      $or: [{ mergeCommitSha: { $in } }, { squashCommitSha: { $in } }, { headSha: { $in } }],
    };
    const { items, ...rest } = await findPage(this.mergeRequests, filter, { createdAt: -1, _id: -1 }, input);
    return { ...rest, items: await this.views.view(items, project, { caller }) };
  }

  private async commitsOf(project: ProjectRef, { sha, without }: Asked): Promise<string[]> {
    const ids: string[] = [];
    for (let page = 1; ids.length < mostCommits; page += 1) {
      const items = await this.pageOf(project, { sha, without }, page);
      ids.push(...items.map(({ id }) => id));
      if (items.length < perPage) break;
    }
    return ids;
  }

  private async pageOf(project: ProjectRef, { sha, without }: Pick<Asked, 'sha' | 'without'>, page: number) {
    const at = { page, per_page: perPage };
    const asked: Promise<OutputOf<typeof mergeCommits>> =
      without === undefined
        ? this.client.call(listCommits, { id: String(project.id), ref_name: sha, ...at }, { project })
        : this.client.call(mergeCommits, { base_sha: without, head_sha: sha, ...at }, { project });
    const { items } = await asked.catch((error: unknown) => {
      // History was rewritten; the commit is unreachable.
      if (isError(error, revisionGone)) return { items: [] };
      throw error;
    });
    return items;
  }
}
