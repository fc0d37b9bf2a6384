import { type EventData, type EventRecord, type ProjectRef, repositoryPushed } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { ChangeIssuable } from '../../issuable/change-issuable';
import type { IssuablePatch } from '../../issuable/plan-change';
import { ParentDirectory } from '../../parent/parent-directory';
import { type Known, knownFrom } from '../mergeability/branch-facts';
import { MergeRequestGit } from '../mergeability/merge-request-git';
import { ApprovalSettingsOfProjects } from '../record/approval-settings.repository';
import { MergeRequests } from '../record/merge-request.repository';
import type { MergeRequestDocument } from '../record/merge-request.schema';
import { MergeRequestKind } from '../record/merge-request-kind';
import { MergeRequestVersions } from '../record/merge-request-versions';

type Push = EventData<typeof repositoryPushed>;
interface NamedCommit {
  short_id: string;
  title: string;
}

const branchPrefix = 'refs/heads/';
const noCommit = /^0+$/;
/** Limit of commits that a system note names. */
const namedCommits = 20;
const commitsPerPage = 100;
/** Limit of pages of commits in which a push is searched for heads of merge requests. */
const searchedPages = 100;

/**
 * Updates merge requests after pushes. Events may arrive twice and in any order, so each one reads the current state
 * from git.
 */
@Injectable()
export class FollowBranches {
  constructor(
    private readonly mergeRequests: MergeRequests,
    private readonly kind: MergeRequestKind,
    private readonly changes: ChangeIssuable,
    private readonly versions: MergeRequestVersions,
    private readonly git: MergeRequestGit,
    private readonly parents: ParentDirectory,
    private readonly approvals: ApprovalSettingsOfProjects,
  ) {}

  @OnEvent(repositoryPushed, 'FollowBranches-onPush')
  async onPush({ data }: EventRecord<Push>): Promise<void> {
    if (!data.ref.startsWith(branchPrefix)) return;
    const branch = data.ref.slice(branchPrefix.length);
    await this.refreshTargets(data, branch);
    await this.refreshSources(data, branch);
  }

  private async refreshSources({ project_id, user_id }: Push, sourceBranch: string): Promise<void> {
    const concerned = await this.mergeRequests.model
      .find({ sourceProjectId: project_id, sourceBranch, state: 'opened' })
      .lean<MergeRequestDocument[]>();
    for (const mergeRequest of concerned) await this.refresh(mergeRequest, user_id ?? mergeRequest.authorId);
  }

  private async refresh(found: MergeRequestDocument, userId: number): Promise<void> {
    const target = await this.findTarget(found);
    if (!target) return;
    const patchOf = async (current: MergeRequestDocument): Promise<IssuablePatch> => {
      if (current.state !== 'opened') return {};
      const known = knownFrom(await this.git.check(current, target), current);
      if (known.headSha === current.headSha) {
        await this.remember(current, known);
        return {};
      }
      await this.versions.record({ ...known, _id: current._id });
      const notes = await this.buildPushNotes(current, known.headSha, target);
      const { resetsOnPush } = await this.approvals.get(current.projectId);
      const moved = { ...known, changesCount: null, autoMerge: null, mergeError: null };
      return { silent: { ...moved, ...(resetsOnPush && { approvals: [] }) }, notes };
    };
    await this.changes.change(this.kind, found, patchOf, { userId });
  }

  /** Facts without an author: `updated_at` does not change. */
  private async remember({ _id, headSha }: MergeRequestDocument, known: Known): Promise<void> {
    await this.mergeRequests.model.updateOne({ _id, headSha }, { $set: known });
  }

  private async buildPushNotes(current: MergeRequestDocument, headSha: string | null, target: ProjectRef) {
    const range = { baseSha: current.headSha, headSha };
    const { items, total } = await this.git.listCommits(range, target, { per_page: namedCommits });
    const stopped = current.autoMerge ? ['aborted the automatic merge because source branch was updated'] : [];
    return items.length === 0 ? stopped : [publishAdded(items, total ?? items.length), ...stopped];
  }

  private async refreshTargets(push: Push, targetBranch: string): Promise<void> {
    const open = { projectId: push.project_id, targetBranch, state: 'opened' } as const;
    if (!(await this.mergeRequests.model.exists(open))) return;
    await this.findMerged(push, open);
    // The next reader asks git again: one push to a busy branch may affect many merge requests.
    await this.mergeRequests.model.updateMany(open, { $set: { mergeStatus: 'unchecked' } });
  }

  /** Merge requests whose head is among the pushed commits are merged by the push. */
  private async findMerged(push: Push, open: { projectId: number; targetBranch: string; state: 'opened' }) {
    const target = (await this.parents.findProjects([push.project_id])).get(push.project_id);
    if (!target || noCommit.test(push.before) || noCommit.test(push.after)) return;
    const range = { baseSha: push.before, headSha: push.after };
    for (let page = 1; page <= searchedPages; page++) {
      const { items } = await this.git.listCommits(range, target, { page, per_page: commitsPerPage });
      const ids = items.map(({ id }) => id);
      const merged = await this.mergeRequests.model
        .find({ ...open, headSha: { $in: ids } })
        .lean<MergeRequestDocument[]>();
      for (const mergeRequest of merged) {
        const mergeCommit = items.find(({ parent_ids }) => parent_ids.slice(1).includes(mergeRequest.headSha ?? ''));
        await this.markMerged(mergeRequest, mergeCommit?.id ?? push.after, push.user_id ?? mergeRequest.authorId);
      }
      if (items.length < commitsPerPage) return;
    }
  }

  private async markMerged(found: MergeRequestDocument, mergeCommitSha: string, userId: number): Promise<void> {
    const merged = { mergeCommitSha, mergedById: userId, mergedAt: new Date(), openKey: null, autoMerge: null };
    const patchOf = (current: MergeRequestDocument): IssuablePatch =>
      current.state === 'opened' && current.headSha === found.headSha ? { state: 'merged', silent: merged } : {};
    await this.changes.change(this.kind, found, patchOf, { userId });
  }

  private async findTarget({ projectId }: MergeRequestDocument): Promise<ProjectRef | undefined> {
    return (await this.parents.findProjects([projectId])).get(projectId);
  }
}

/** Texts: docs/api/merge-requests.md#6. */
function publishAdded(commits: NamedCommit[], count: number): string {
  const lines = commits.map(({ short_id, title }) => `* ${short_id} - ${title}`);
  if (count > commits.length) lines.push(`* and ${count - commits.length} more`);
  return `added ${count} commit${count === 1 ? '' : 's'}\n\n${lines.join('\n')}`;
}
