import { type Caller, userIdsByUsername } from '@moothall/contracts';
import { containing } from '@moothall/database';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { Labels } from '../label/label.repository';
import type { MilestoneDocument } from '../milestone/milestone.schema';
import type { OwnerKey } from '../parent/owner';
import type { Issuable } from './issuable';

type Condition = QueryFilter<Issuable>;

/** Filters of a request. See docs/api/issues.md#2. */
export interface IssuableQuery {
  labels?: string[] | undefined;
  milestone?: string | undefined;
  milestone_ids?: number[] | undefined;
  scope?: 'created_by_me' | 'assigned_to_me' | 'all' | undefined;
  author_id?: number | undefined;
  author_username?: string | undefined;
  assignee_id?: string | undefined;
  assignee_username?: string[] | undefined;
  my_reaction_emoji?: string | undefined;
  iids?: number[] | undefined;
  search?: string | undefined;
  in?: string[] | undefined;
  created_after?: string | undefined;
  created_before?: string | undefined;
  updated_after?: string | undefined;
  updated_before?: string | undefined;
  confidential?: boolean | undefined;
  not?:
    | (Pick<
        IssuableQuery,
        | 'labels'
        | 'milestone'
        | 'milestone_ids'
        | 'author_id'
        | 'author_username'
        | 'assignee_username'
        | 'my_reaction_emoji'
        | 'iids'
      > & { assignee_id?: number | undefined })
    | undefined;
}

const nothing: Condition = { _id: { $in: [] } };
const isNone = (value: string): boolean => value.toLowerCase() === 'none';
const isAny = (value: string): boolean => value.toLowerCase() === 'any';
const today = (): string => new Date().toISOString().slice(0, 10);

/**
 * Turns filters into conditions that indexes serve. Names are resolved to ids here, so the database only compares ids.
 */
@Injectable()
export class IssuableFilter {
  constructor(
    private readonly labels: Labels,
    @InjectModel('Milestone') private readonly milestones: Model<MilestoneDocument>,
    private readonly client: OperationClient,
  ) {}

  /** @param owners scope for labels and milestones; everywhere if absent */
  async buildConditions(query: IssuableQuery, caller: Caller | undefined, owners?: OwnerKey[]): Promise<Condition[]> {
    const [labels, milestone, author, assignees, excluded] = await Promise.all([
      this.filterLabels(query.labels ?? [], owners),
      query.milestone === undefined ? [] : this.filterMilestone(query.milestone, owners),
      this.filterAuthor(query),
      this.filterAssignees(query),
      query.not ? this.exclude(query.not, caller, owners) : [],
    ]);
    return [
      ...filterScope(query.scope, caller),
      ...author,
      ...assignees,
      ...milestone,
      ...(query.milestone_ids ? [{ milestoneId: { $in: query.milestone_ids } }] : []),
      ...labels,
      ...(query.iids ? [{ iid: { $in: query.iids } }] : []),
      ...filterDates('createdAt', query.created_after, query.created_before),
      ...filterDates('updatedAt', query.updated_after, query.updated_before),
      ...(query.confidential === undefined ? [] : [{ confidential: query.confidential }]),
      ...(query.my_reaction_emoji === undefined ? [] : [filterReaction(query.my_reaction_emoji, caller)]),
      ...excluded,
      ...filterSearch(query.search, query.in),
    ];
  }

  private async filterLabels(names: string[], owners?: OwnerKey[]): Promise<Condition[]> {
    if (names.some(isNone)) return [{ labelIds: [] }];
    const exact = names.filter((name) => !isAny(name));
    const found = await Promise.all(exact.map((name) => this.labels.findIdsNamed(name, owners)));
    const conditions: Condition[] = found.map((ids) => ({ labelIds: { $in: ids } }));
    return names.some(isAny) ? [...conditions, { labelIds: { $ne: [] } }] : conditions;
  }

  private async filterMilestone(title: string, owners?: OwnerKey[]): Promise<Condition[]> {
    if (isNone(title)) return [{ milestoneId: null }];
    if (isAny(title)) return [{ milestoneId: { $ne: null } }];
    return [{ milestoneId: { $in: await this.findMilestoneIds(title, owners) } }];
  }

  private async findMilestoneIds(title: string, owners?: OwnerKey[]): Promise<number[]> {
    const where = owners ? { owner: { $in: owners } } : {};
    const wanted = title.toLowerCase();
    if (wanted === '#upcoming') return this.findUpcoming(where);
    const started = {
      state: 'active' as const,
      startDate: { $lte: today(), $type: 'string' as const },
      dueOrder: { $gte: today() },
    };
    const filter = wanted === '#started' ? started : { title };
    const found = await this.milestones.find({ ...where, ...filter }, { _id: 1 }).lean<{ _id: number }[]>();
    return found.map(({ _id }) => _id);
  }

  /** The next due milestone of each owner. */
  private async findUpcoming(where: QueryFilter<MilestoneDocument>): Promise<number[]> {
    const open = await this.milestones
      .find({ ...where, state: 'active', dueDate: { $gte: today() } }, { owner: 1 })
      .sort({ dueOrder: 1, _id: 1 })
      .lean<Pick<MilestoneDocument, '_id' | 'owner'>[]>();
    const next = new Map<OwnerKey, number>();
    for (const { _id, owner } of open) if (!next.has(owner)) next.set(owner, _id);
    return [...next.values()];
  }

  private async filterAuthor({ author_id, author_username }: IssuableQuery): Promise<Condition[]> {
    if (author_id !== undefined) return [{ authorId: author_id }];
    if (author_username === undefined) return [];
    const [id] = await this.findUserIds([author_username]);
    return [id === undefined ? nothing : { authorId: id }];
  }

  private async filterAssignees({ assignee_id, assignee_username }: IssuableQuery): Promise<Condition[]> {
    if (assignee_id !== undefined) {
      if (isNone(assignee_id) || assignee_id === '0') return [{ assigneeIds: [] }];
      return [isAny(assignee_id) ? { assigneeIds: { $ne: [] } } : { assigneeIds: Number(assignee_id) }];
    }
    const names = [...new Set(assignee_username ?? [])];
    if (names.length === 0) return [];
    const ids = await this.findUserIds(names);
    return ids.length < names.length ? [nothing] : ids.map((id) => ({ assigneeIds: id }));
  }

  private async exclude(
    query: NonNullable<IssuableQuery['not']>,
    caller: Caller | undefined,
    owners?: OwnerKey[],
  ): Promise<Condition[]> {
    const conditions: Condition[] = [];
    const labelIds = await Promise.all((query.labels ?? []).map((name) => this.labels.findIdsNamed(name, owners)));
    if (labelIds.length > 0) conditions.push({ labelIds: { $nin: labelIds.flat() } });
    if (query.milestone !== undefined) {
      conditions.push({ milestoneId: { $nin: await this.findMilestoneIds(query.milestone, owners) } });
    }
    if (query.milestone_ids) conditions.push({ milestoneId: { $nin: query.milestone_ids } });
    const authors = query.author_username === undefined ? [] : await this.findUserIds([query.author_username]);
    if (query.author_id !== undefined) authors.push(query.author_id);
    if (authors.length > 0) conditions.push({ authorId: { $nin: authors } });
    const assignees = query.assignee_username ? await this.findUserIds(query.assignee_username) : [];
    if (query.assignee_id !== undefined) assignees.push(query.assignee_id);
    if (assignees.length > 0) conditions.push({ assigneeIds: { $nin: assignees } });
    if (query.my_reaction_emoji !== undefined) {
      conditions.push({ $nor: [filterReaction(query.my_reaction_emoji, caller)] });
    }
    if (query.iids) conditions.push({ iid: { $nin: query.iids } });
    return conditions;
  }

  /** Unknown user names are left out. */
  async findUserIds(usernames: string[]): Promise<number[]> {
    const found = await this.client.call(userIdsByUsername, { usernames });
    return found.map(({ id }) => id);
  }
}

function filterScope(scope: IssuableQuery['scope'], caller: Caller | undefined): Condition[] {
  if (scope === undefined || scope === 'all') return [];
  if (!caller) return [nothing];
  return [scope === 'created_by_me' ? { authorId: caller.id } : { assigneeIds: caller.id }];
}

/** Bounds are inclusive. */
function filterDates(field: 'createdAt' | 'updatedAt', after?: string, before?: string): Condition[] {
  const range = { ...(after && { $gte: new Date(after) }), ...(before && { $lte: new Date(before) }) };
  return after || before ? [{ [field]: range }] : [];
}

function filterReaction(emoji: string, caller: Caller | undefined): Condition {
  if (!caller) return nothing;
  if (isNone(emoji)) return { 'awards.userId': { $ne: caller.id } };
  if (isAny(emoji)) return { 'awards.userId': caller.id };
  return { awards: { $elemMatch: { userId: caller.id, name: emoji } } };
}

/** Each word must occur in at least one field. */
function filterSearch(search: string | undefined, fields: string[] = ['title', 'description']): Condition[] {
  const words = search?.split(/\s+/).filter((word) => word !== '') ?? [];
  return words.map((word) => ({ $or: fields.map((field) => ({ [field]: containing(word) })) }));
}
