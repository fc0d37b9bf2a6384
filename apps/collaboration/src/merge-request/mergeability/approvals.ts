import { groupErrors, isError, memberLevels } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import { ApprovalSettingsOfProjects } from '../record/approval-settings.repository';
import type { ApprovalRule, ApprovalSettingsDocument } from '../record/approval-settings.schema';
import type { MergeRequestDocument } from '../record/merge-request.schema';
import { type JudgedRule, judgeRules } from './judge-approvals';

/** Whether a merge request has the approvals that its rules require. */
export interface Judgement {
  /** Whether it has rules of its own. */
  isOverridden: boolean;
  /** Settings of its project. */
  settings: ApprovalSettingsDocument;
  rules: JudgedRule[];
  /** Whether no further approval is required. */
  isMet: boolean;
}

const usersPerCall = 1000;

/** Checks approvals against the rules of merge requests and projects. See docs/api/merge-requests.md#9. */
@Injectable()
export class Approvals {
  /** Rules are what the v4 interface restricts to higher tiers. */
  private readonly hasTiers: boolean;

  constructor(
    private readonly settings: ApprovalSettingsOfProjects,
    private readonly client: OperationClient,
    @Inject(settingsToken) { EDITION }: ServiceSettings,
  ) {
    this.hasTiers = EDITION === 'enterprise';
  }

  /** By merge request id; one query for all, and one call per group that rules name. */
  async judge(found: readonly MergeRequestDocument[]): Promise<ReadonlyMap<number, Judgement>> {
    if (found.length === 0) return new Map();
    const settings = this.hasTiers ? await this.settings.find(found.map(({ projectId }) => projectId)) : new Map();
    const asked = found.map((mergeRequest) => {
      const ofProject: ApprovalSettingsDocument = settings.get(mergeRequest.projectId) ?? {
        _id: mergeRequest.projectId,
        rules: [],
      };
      const own = this.hasTiers ? mergeRequest.approvalRules : null;
      return { mergeRequest, settings: ofProject, own, approverIds: countedOf(mergeRequest, ofProject) };
    });
    const members = await this.findMembers(
      asked.map(({ own, settings: { rules }, approverIds }) => ({ rules: own ?? rules, approverIds })),
    );
    return new Map(
      asked.map(({ mergeRequest, settings: ofProject, own, approverIds }) => {
        const rules = judgeRules(own ?? ofProject.rules, approverIds, members);
        const isMet = rules.every(({ left }) => left === 0);
        return [mergeRequest._id, { isOverridden: own != null, settings: ofProject, rules, isMet }];
      }),
    );
  }

  async judgeOne(mergeRequest: MergeRequestDocument): Promise<Judgement> {
    return (await this.judge([mergeRequest])).get(mergeRequest._id) as Judgement;
  }

  /**
   * Whether all required approvals are given for the head of the source branch. If pushes reset approvals, a push that
   * was not processed yet resets them too: its event may still be queued when somebody merges.
   */
  async areMetAt(mergeRequest: MergeRequestDocument, sha: string): Promise<boolean> {
    const { settings, isMet } = await this.judgeOne(mergeRequest);
    if (!settings.resetsOnPush || mergeRequest.headSha === sha) return isMet;
    return (await this.judgeOne({ ...mergeRequest, approvals: [] })).isMet;
  }

  /** Which approvers are members of the groups in the rules. */
  private async findMembers(
    asked: readonly { rules: readonly ApprovalRule[]; approverIds: readonly number[] }[],
  ): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
    const wanted = new Map<number, Set<number>>();
    for (const { rules, approverIds } of asked) {
      for (const groupId of rules.flatMap(({ groupIds }) => groupIds)) {
        const users = wanted.get(groupId) ?? new Set();
        wanted.set(groupId, users);
        for (const id of approverIds) users.add(id);
      }
    }
    const found = [...wanted].map(
      async ([groupId, users]) => [groupId, await this.membersAmong(groupId, users)] as const,
    );
    return new Map(await Promise.all(found));
  }

  private async membersAmong(group_id: number, users: ReadonlySet<number>): Promise<ReadonlySet<number>> {
    const ids = [...users];
    const members = new Set<number>();
    for (let at = 0; at < ids.length; at += usersPerCall) {
      const levels = await this.client
        .call(memberLevels, { group_id, user_ids: ids.slice(at, at + usersPerCall) })
        .catch((error: unknown) => {
          // It was deleted; the event will remove it from the rules.
          if (isError(error, groupErrors.notFound)) return [];
          throw error;
        });
      for (const { user_id } of levels) members.add(user_id);
    }
    return members;
  }
}

/** Approvals that count, oldest first. */
const countedOf = (
  { approvals = [], authorId }: MergeRequestDocument,
  { refusesAuthors = false }: ApprovalSettingsDocument,
): number[] => approvals.map(({ userId }) => userId).filter((userId) => !refusesAuthors || userId !== authorId);
