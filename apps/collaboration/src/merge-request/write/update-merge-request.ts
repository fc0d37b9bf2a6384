import {
  Access,
  type Caller,
  type ContextOf,
  forbidden,
  type ParsedOf,
  type ProjectRef,
  updateMergeRequest,
} from '@moothall/contracts';
import { isDuplicateKey } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ChangeIssuable } from '../../issuable/change-issuable';
import type { IssuablePatch } from '../../issuable/plan-change';
import { IssueAttributes } from '../../issue/issue-attributes';
import { requireWritable } from '../../parent/require-writable';
import { knownFrom } from '../mergeability/branch-facts';
import { MergeRequestGit } from '../mergeability/merge-request-git';
import { planTitle } from '../record/draft';
import { MergeRequests } from '../record/merge-request.repository';
import type { MergeRequestDocument } from '../record/merge-request.schema';
import { MergeRequestKind } from '../record/merge-request-kind';
import { openKeyOf } from '../record/open-key';
import { MergeRequestViews } from '../view/merge-request-views';
import { otherExists, requireBranches } from './create-merge-request';
import { Reviewers } from './reviewers';

type Input = ParsedOf<typeof updateMergeRequest>;

/**
 * Updates a merge request: authors and developers may change it, planning fields are for reporters. See
 * docs/api/merge-requests.md#1.
 */
@Controller()
export class UpdateMergeRequest {
  constructor(
    private readonly mergeRequests: MergeRequests,
    private readonly kind: MergeRequestKind,
    private readonly attributes: IssueAttributes,
    private readonly reviewers: Reviewers,
    private readonly changes: ChangeIssuable,
    private readonly git: MergeRequestGit,
    private readonly views: MergeRequestViews,
  ) {}

  @Handles(updateMergeRequest)
  async handle({ project, caller }: ContextOf<typeof updateMergeRequest>, input: Input) {
    requireWritable(project);
    const found = await this.mergeRequests.get(project, input.merge_request_iid);
    requireEditor(found, project, caller);
    const isPlanner = project.accessLevel >= Access.Reporter;
    const planned = isPlanner ? await this.attributes.plan(project, input) : {};
    const reviewerIds = isPlanner ? await this.reviewers.choose(project, input.reviewer_ids) : undefined;
    const patchOf = async (current: MergeRequestDocument): Promise<IssuablePatch> => {
      const wanted = { ...plainFields(input), ...(reviewerIds && { reviewerIds }) };
      const branches = await this.planBranches(current, input, project);
      const title = planTitle(current, input.title);
      const silent = { ...wanted, ...title.silent, ...branches.silent };
      return {
        ...planned,
        title: input.title?.trim(),
        description: input.description,
        state: branches.state,
        silent: differing(silent, current),
        notes: [...title.notes, ...branches.notes],
      };
    };
    const changed = await this.changes
      .change(this.kind, found, patchOf, { userId: caller.id })
      .catch((error: unknown) => this.explain(error, found, input));
    return this.views.viewOne(changed, project, caller);
  }

  /** @throws common.invalid_record if it would be open without its branches */
  private async planBranches(current: MergeRequestDocument, { state_event, target_branch }: Input, target: ProjectRef) {
    const state = stateAfter(current, state_event);
    const targetBranch = target_branch ?? current.targetBranch;
    const isOpen = (state ?? current.state) === 'opened';
    const isRetargeted = isOpen && targetBranch !== current.targetBranch;
    const notes = isRetargeted ? [`changed target branch from \`${current.targetBranch}\` to \`${targetBranch}\``] : [];
    if (state === 'closed') return { state, notes, silent: { openKey: null, autoMerge: null } };
    if (state !== 'opened' && !isRetargeted) return { state, notes, silent: {} };
    const after = { ...current, targetBranch };
    const facts = requireBranches(await this.git.check(after, target));
    const known = { ...knownFrom(facts, current), changesCount: null };
    return { state, notes, silent: { targetBranch, openKey: openKeyOf(after), ...known } };
  }

  /** Another merge request was opened for the same branches meanwhile. */
  private async explain(error: unknown, found: MergeRequestDocument, input: Input): Promise<never> {
    if (!isDuplicateKey(error, 'openKey')) throw error;
    const targetBranch = input.target_branch ?? found.targetBranch;
    const other = await this.mergeRequests.findByOpenKey(openKeyOf({ ...found, targetBranch }));
    throw other ? otherExists(other) : error;
  }
}

/** @throws common.forbidden unless author or developer */
export function requireEditor({ authorId }: MergeRequestDocument, project: ProjectRef, caller: Caller): void {
  if (authorId !== caller.id && project.accessLevel < Access.Developer) throw forbidden();
}

/** A merged or locked merge request is neither closed nor reopened. */
function stateAfter({ state }: MergeRequestDocument, event: Input['state_event']): 'opened' | 'closed' | undefined {
  if (event === 'close' && state === 'opened') return 'closed';
  return event === 'reopen' && state === 'closed' ? 'opened' : undefined;
}

function plainFields(input: Input): Partial<MergeRequestDocument> {
  const collaboration = input.allow_collaboration ?? input.allow_maintainer_to_push;
  return {
    ...(input.squash != null && { squash: input.squash }),
    ...(input.remove_source_branch !== undefined && { removesSourceBranch: input.remove_source_branch }),
    ...(collaboration != null && { allowsCollaboration: collaboration }),
  };
}

/** Fields whose value differs: a request that changes nothing writes nothing. */
const differing = (fields: Partial<MergeRequestDocument>, current: MergeRequestDocument) =>
  Object.fromEntries(
    Object.entries(fields).filter(
      ([field, value]) => JSON.stringify(value) !== JSON.stringify(current[field as keyof MergeRequestDocument]),
    ),
  );
