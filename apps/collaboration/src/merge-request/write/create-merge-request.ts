import {
  Access,
  type Caller,
  type ContextOf,
  createMergeRequest,
  forbidden,
  getProject,
  invalidRecord,
  isFeatureOpen,
  isReadable,
  mergeRequestErrors,
  namedNotFound,
  type ParsedOf,
  type ProjectRef,
} from '@moothall/contracts';
import { Counters, isDuplicateKey } from '@moothall/database';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ChangeIssuable } from '../../issuable/change-issuable';
import { newIssuable } from '../../issuable/issuable';
import { IssueAttributes } from '../../issue/issue-attributes';
import { readsMergeRequests } from '../../parent/reads-code';
import { requireWritable } from '../../parent/require-writable';
import { ActingUser } from '../../user/acting-user';
import { knownFrom } from '../mergeability/branch-facts';
import { type BranchFacts, MergeRequestGit } from '../mergeability/merge-request-git';
import { isDraftTitle } from '../record/draft';
import { MergeRequests } from '../record/merge-request.repository';
import type { MergeRequestDocument } from '../record/merge-request.schema';
import { MergeRequestKind } from '../record/merge-request-kind';
import { MergeRequestVersions } from '../record/merge-request-versions';
import { openKeyOf } from '../record/open-key';
import { MergeRequestViews } from '../view/merge-request-views';
import { Reviewers } from './reviewers';

type Input = ParsedOf<typeof createMergeRequest>;

@Controller()
export class CreateMergeRequest {
  constructor(
    private readonly mergeRequests: MergeRequests,
    private readonly kind: MergeRequestKind,
    private readonly attributes: IssueAttributes,
    private readonly reviewers: Reviewers,
    private readonly changes: ChangeIssuable,
    private readonly versions: MergeRequestVersions,
    private readonly git: MergeRequestGit,
    private readonly acting: ActingUser,
    private readonly counters: Counters,
    private readonly client: OperationClient,
    private readonly views: MergeRequestViews,
  ) {}

  @Handles(createMergeRequest)
  async handle({ project: source, caller }: ContextOf<typeof createMergeRequest>, input: Input) {
    const target = await this.findTarget(source, caller, input.target_project_id);
    const branches = {
      projectId: target.id,
      sourceProjectId: source.id,
      sourceBranch: input.source_branch,
      targetBranch: input.target_branch,
    };
    if (source.id === target.id && branches.sourceBranch === branches.targetBranch)
      throw mergeRequestErrors.sameBranch();
    const openKey = openKeyOf(branches);
    const facts = requireBranches(await this.git.check(branches, target, caller));
    await this.requireNoOther(openKey);
    const described = await this.describe(target, input);
    const [_id, iid] = await Promise.all([
      this.counters.next('merge_requests'),
      this.counters.next(`merge_requests/project/${target.id}`),
    ]);
    const document = newMergeRequest(
      { ...branches, ...knownFrom(facts), ...described, _id, iid, openKey },
      input,
      caller,
    );
    // Before the merge request, so that each has a version; an interruption leaves a version that nobody reads.
    await this.versions.record(document);
    const opened = await this.open(document);
    // Git stores the commits under its number, so they remain when the branch is deleted.
    await this.git.check(opened, target, caller);
    return this.views.viewOne(opened, target, caller);
  }

  private async open(document: MergeRequestDocument): Promise<MergeRequestDocument> {
    return this.changes.open(this.kind, document).catch(async (error: unknown) => {
      const { openKey } = document;
      if (openKey && isDuplicateKey(error, 'openKey')) await this.requireNoOther(openKey);
      throw error;
    });
  }

  /** @throws merge_request.exists */
  private async requireNoOther(openKey: string): Promise<void> {
    const other = await this.mergeRequests.findByOpenKey(openKey);
    if (other) throw otherExists(other);
  }

  /** Fields that need more permissions than title and description. */
  private async describe(target: ProjectRef, input: Input): Promise<Partial<MergeRequestDocument>> {
    if (target.accessLevel < Access.Reporter) return {};
    const [planned, reviewerIds] = await Promise.all([
      this.attributes.plan(target, input),
      this.reviewers.choose(target, input.reviewer_ids),
    ]);
    return {
      labelIds: planned.labelIds ?? [],
      assigneeIds: planned.assigneeIds ?? [],
      milestoneId: planned.milestoneId ?? null,
      reviewerIds: reviewerIds ?? [],
    };
  }

  /** @throws common.not_found, common.forbidden, project.archived, merge_request.not_fork */
  private async findTarget(source: ProjectRef, caller: Caller, targetId: number | null | undefined) {
    const isElsewhere = targetId != null && targetId !== source.id;
    const target = isElsewhere ? await this.acting.findProject(caller, targetId) : source;
    if (!target || !isReadable(target, caller)) throw namedNotFound('Project');
    if (!isFeatureOpen(target, 'merge_requests') || !readsMergeRequests(target)) throw forbidden();
    requireWritable(target);
    if (isElsewhere && !(await this.areRelated(source, target, caller))) throw mergeRequestErrors.notFork();
    return target;
  }

  /** Whether one is a fork of the other. */
  private async areRelated(source: ProjectRef, target: ProjectRef, caller: Caller): Promise<boolean> {
    const parentOf = async (project: ProjectRef) => {
      const view = await this.client.call(getProject, { id: String(project.id) }, { project, caller });
      return 'forked_from_project' in view ? view.forked_from_project?.id : undefined;
    };
    return (await parentOf(source)) === target.id || (await parentOf(target)) === source.id;
  }
}

/** @throws common.invalid_record */
export function requireBranches(facts: BranchFacts): BranchFacts {
  if (facts.status === 'source_missing') throw invalidRecord({ source_branch: ['does not exist'] });
  if (facts.status === 'target_missing') throw invalidRecord({ target_branch: ['does not exist'] });
  return facts;
}

export const otherExists = ({ iid }: { iid: number }) =>
  mergeRequestErrors.exists([`Another open merge request already exists for this source branch: !${iid}`]);

type Settled = Partial<MergeRequestDocument> &
  Pick<
    MergeRequestDocument,
    | '_id'
    | 'iid'
    | 'projectId'
    | 'sourceProjectId'
    | 'sourceBranch'
    | 'targetBranch'
    | 'openKey'
    | 'mergeStatus'
    | 'hasConflicts'
    | 'headSha'
    | 'baseSha'
    | 'startSha'
  >;

function newMergeRequest(settled: Settled, input: Input, { id: authorId }: Caller): MergeRequestDocument {
  const title = input.title.trim();
  return {
    ...newIssuable(new Date()),
    title,
    description: input.description ?? null,
    authorId,
    isDraft: isDraftTitle(title),
    reviewerIds: [],
    squash: input.squash ?? false,
    removesSourceBranch: input.remove_source_branch ?? null,
    allowsCollaboration: input.allow_collaboration ?? input.allow_maintainer_to_push ?? false,
    timeEstimate: 0,
    timeSpent: 0,
    changesCount: null,
    closesIssueIids: [],
    mergeError: null,
    mergeCommitSha: null,
    squashCommitSha: null,
    mergedById: null,
    mergedAt: null,
    merging: null,
    autoMerge: null,
    ...settled,
  };
}
