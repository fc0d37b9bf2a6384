import {
  type Caller,
  type ContextOf,
  commonErrors,
  getAnyGroupMember,
  getAnyProjectMember,
  getGroupMember,
  getProjectMember,
  listAllGroupMembers,
  listAllProjectMembers,
  listGroupMembers,
  listProjectMembers,
  type Member,
  type Page,
  type ParsedOf,
  searchGroupUsers,
  searchProjectUsers,
  type UserSummary,
  window,
} from '@moothall/contracts';
import { findPage } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { UserDirectory, type UserRecord } from '@moothall/users';
import { Controller } from '@nestjs/common';
import type { QueryFilter } from 'mongoose';
import { isCurrent, today } from '../../access/grants';
import { Members } from '../member.repository';
import type { MemberDocument } from '../member.schema';
import { viewMember } from '../member.view';
import { MemberRoles } from '../member-roles';
import { chainOf, groupSource, projectSource, type Source, type SourceKey } from '../source';
import { isNamed } from './is-named';

type ListInput = ParsedOf<typeof listProjectMembers>;
type SearchInput = Omit<ParsedOf<typeof searchProjectUsers>, 'id'>;
type Narrowing = Partial<Pick<ListInput, 'query' | 'user_ids'>> & { activeOnly?: boolean };

/** Lists direct and inherited members. */
@Controller()
export class ListMembers {
  constructor(
    private readonly members: Members,
    private readonly roles: MemberRoles,
    private readonly users: UserDirectory,
  ) {}

  @Handles(listProjectMembers)
  async listOfProject({ project }: ContextOf<typeof listProjectMembers>, input: ListInput) {
    return this.direct(projectSource(project), input);
  }

  @Handles(listGroupMembers)
  async listOfGroup({ group }: ContextOf<typeof listGroupMembers>, input: ParsedOf<typeof listGroupMembers>) {
    return this.direct(groupSource(group), input);
  }

  @Handles(listAllProjectMembers)
  async listAllOfProject({ project }: ContextOf<typeof listAllProjectMembers>, input: ListInput) {
    return this.listAll(projectSource(project), input);
  }

  @Handles(listAllGroupMembers)
  async listAllOfGroup({ group }: ContextOf<typeof listAllGroupMembers>, input: ParsedOf<typeof listAllGroupMembers>) {
    return this.listAll(groupSource(group), input);
  }

  @Handles(getProjectMember)
  async oneOfProject({ project }: ContextOf<typeof getProjectMember>, input: ParsedOf<typeof getProjectMember>) {
    return this.one(projectSource(project), [projectSource(project).key], input.user_id);
  }

  @Handles(getGroupMember)
  async oneOfGroup({ group }: ContextOf<typeof getGroupMember>, input: ParsedOf<typeof getGroupMember>) {
    return this.one(groupSource(group), [groupSource(group).key], input.user_id);
  }

  @Handles(getAnyProjectMember)
  async anyOfProject({ project }: ContextOf<typeof getAnyProjectMember>, input: ParsedOf<typeof getAnyProjectMember>) {
    return this.one(projectSource(project), chainOf(projectSource(project)), input.user_id);
  }

  @Handles(getAnyGroupMember)
  async anyOfGroup({ group }: ContextOf<typeof getAnyGroupMember>, input: ParsedOf<typeof getAnyGroupMember>) {
    return this.one(groupSource(group), chainOf(groupSource(group)), input.user_id);
  }

  /** See docs/api/search.md#4. */
  @Handles(searchProjectUsers)
  async searchInProject(
    { project, caller }: ContextOf<typeof searchProjectUsers>,
    input: ParsedOf<typeof searchProjectUsers>,
  ) {
    return this.search(projectSource(project), caller, input);
  }

  @Handles(searchGroupUsers)
  async searchInGroup({ group, caller }: ContextOf<typeof searchGroupUsers>, input: ParsedOf<typeof searchGroupUsers>) {
    return this.search(groupSource(group), caller, input);
  }

  private async search(source: Source, { isAdmin }: Caller, { search, page, per_page }: SearchInput) {
    const found = await this.listAll(source, { query: search.trim(), activeOnly: !isAdmin, page, per_page });
    return { ...found, items: found.items.map(userOf) };
  }

  private async one(source: Source, sources: SourceKey[], userId: number): Promise<Member> {
    const filter = { source: { $in: sources }, userId };
    const [member] = await this.members.model.find(filter).sort({ accessLevel: -1 }).limit(1).lean<MemberDocument[]>();
    if (!member || !isCurrent(member.expiresAt)) throw commonErrors.notFound();
    const [role] = await this.roles.ofMembers(source, [member]);
    return viewMember(member, await this.users.summary(member.userId), role);
  }

  private async direct(source: Source, input: ListInput): Promise<Page<Member>> {
    const filter = { source: source.key, ...(await this.narrowed([source.key], input)) };
    const page = await findPage(this.members.model, filter, { userId: 1 }, input);
    return { ...page, items: await this.view(source, page.items) };
  }

  /** Each user once, with the highest level of the chain. */
  private async listAll(
    source: Source,
    input: Narrowing & Pick<ListInput, 'page' | 'per_page'>,
  ): Promise<Page<Member>> {
    const chain = chainOf(source);
    const filter = { source: { $in: chain }, ...(await this.narrowed(chain, input)) };
    const { skip, limit } = window(input);
    const everybody = (await this.members.model.distinct('userId', filter)).sort((one, other) => one - other);
    const ids = everybody.slice(skip, skip + limit);
    const found = await this.members.model
      .find({ $and: [filter, { userId: { $in: ids } }] })
      .sort({ accessLevel: 1 })
      .lean<MemberDocument[]>();
    // The last entry of a user has the highest level and stays.
    const members = new Map(found.map((member) => [member.userId, member]));
    return {
      items: await this.view(
        source,
        ids.flatMap((id) => members.get(id) ?? []),
      ),
      total: everybody.length,
    };
  }

  /** Names are stored in identity: the summaries of members are filtered here. */
  private async narrowed(
    sources: SourceKey[],
    { query, user_ids, activeOnly }: Narrowing,
  ): Promise<QueryFilter<MemberDocument>> {
    const current = { $or: [{ expiresAt: null }, { expiresAt: { $gt: today() } }] };
    if (!query) return user_ids ? { ...current, userId: { $in: user_ids } } : current;
    const everybody = await this.members.model.distinct('userId', { source: { $in: sources } });
    const records = await this.users.records(everybody);
    const isMeant = (user: UserRecord) => isNamed(user, query) && (!activeOnly || user.state === 'active');
    const named = [...records.values()].filter(isMeant).map(({ id }) => id);
    return { ...current, userId: { $in: user_ids ? named.filter((id) => user_ids.includes(id)) : named } };
  }

  private async view(source: Source, members: MemberDocument[]): Promise<Member[]> {
    const users = await this.users.summaries(members.map(({ userId }) => userId));
    const roles = await this.roles.ofMembers(source, members);
    return members.flatMap((member, index) => {
      const user = users.get(member.userId);
      return user ? [viewMember(member, user, roles[index])] : [];
    });
  }
}

const userOf = ({ id, username, name, state, avatar_url, web_url }: Member): UserSummary => ({
  ...{ id, username, name, state, avatar_url, web_url },
});
