import {
  type ApprovalRule as ApprovalRuleView,
  type Caller,
  callerInput,
  type GroupRef,
  groupErrors,
  isError,
  isReadable,
  memberLevels,
  type UserSummary,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import { ParentDirectory } from '../../parent/parent-directory';
import { Urls } from '../../parent/urls';
import type { ApprovalRule } from '../record/approval-settings.schema';

/** Limit of shown approvers for one rule; those that it names come first. */
const shownApprovers = 100;

/** Shows approval rules. */
@Injectable()
export class ApprovalRuleViews {
  constructor(
    private readonly users: UserDirectory,
    private readonly client: OperationClient,
    private readonly parents: ParentDirectory,
    private readonly urls: Urls,
  ) {}

  async view(rules: readonly ApprovalRule[], caller?: Caller): Promise<ApprovalRuleView[]> {
    const groups = await this.findGroups(rules, caller);
    const members = await this.findMembers([...groups.keys()]);
    const eligible = rules.map((rule) => eligibleFor(rule, members));
    const users = await this.users.summaries([...rules.flatMap(({ userIds }) => userIds), ...eligible.flat()]);
    const known = (ids: readonly number[]): UserSummary[] => ids.flatMap((id) => users.get(id) ?? []);
    return rules.map((rule, at) => {
      const visible = rule.groupIds.flatMap((id) => groups.get(id) ?? []);
      return {
        id: rule.id,
        name: rule.name,
        rule_type: rule.type,
        report_type: null,
        eligible_approvers: known(eligible[at] ?? []),
        approvals_required: rule.required,
        users: known(rule.userIds),
        groups: visible.map((group) => this.viewGroup(group)),
        contains_hidden_groups: visible.length < rule.groupIds.length,
      };
    });
  }

  private viewGroup(group: GroupRef): ApprovalRuleView['groups'][number] {
    const { id, name, path, fullName, fullPath, parentId, visibility } = group;
    const web_url = this.urls.group(group);
    return { id, name, path, full_name: fullName, full_path: fullPath, parent_id: parentId, visibility, web_url };
  }

  /** Groups that the caller may see. */
  private async findGroups(rules: readonly ApprovalRule[], caller?: Caller): Promise<Map<number, GroupRef>> {
    const ids = [...new Set(rules.flatMap(({ groupIds }) => groupIds))];
    const groups = ids.length === 0 ? [] : await this.parents.readGroups(ids, callerInput(caller));
    return new Map(groups.filter((group) => isReadable(group, caller)).map((group) => [group.id, group]));
  }

  private async findMembers(groupIds: readonly number[]): Promise<ReadonlyMap<number, readonly number[]>> {
    const found = groupIds.map(async (group_id) => {
      const levels = await this.client.call(memberLevels, { group_id }).catch((error: unknown) => {
        // It was deleted meanwhile.
        if (isError(error, groupErrors.notFound)) return [];
        throw error;
      });
      return [group_id, levels.map(({ user_id }) => user_id).sort((a, b) => a - b)] as const;
    });
    return new Map(await Promise.all(found));
  }
}

function eligibleFor(
  { userIds, groupIds }: ApprovalRule,
  members: ReadonlyMap<number, readonly number[]>,
): readonly number[] {
  const ofGroups = groupIds.flatMap((id) => members.get(id) ?? []);
  return [...new Set([...userIds, ...ofGroups])].slice(0, shownApprovers);
}
