import { type Caller, type GroupRef, invalidParameters, type ProjectRef, scopeOf } from '@moothall/contracts';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import type { QueryFilter } from 'mongoose';
import { IssuableFilter, type IssuableQuery } from '../issuable/issuable-filter';
import { Iterations } from '../iteration/iteration.repository';
import { ownersForProject } from '../parent/owner';
import { ReadableProjects, type ReadableScope } from '../parent/readable-projects';
import type { IssueDocument } from './issue.schema';
import { notHiddenFrom } from './visible-issues';

type Condition = QueryFilter<IssueDocument>;

/** Filters of a request, in lists and in statistics. */
export type IssueQuery = Omit<IssuableQuery, 'scope'> & {
  scope: Parameters<typeof scopeOf>[0];
  due_date?: string | undefined;
  weight?: string | undefined;
  epic_id?: string | undefined;
  iteration_id?: string | undefined;
  iteration_title?: string | undefined;
  not?: { iteration_id?: number | undefined; iteration_title?: string | undefined } | undefined;
};

/** The issues of a project, of a group or of everything that the caller may see and that match the filters. */
@Injectable()
export class IssueScope {
  private readonly severalAssignees: boolean;

  constructor(
    private readonly filters: IssuableFilter,
    private readonly readable: ReadableProjects,
    private readonly iterations: Iterations,
    @Inject(settingsToken) settings: ServiceSettings,
  ) {
    this.severalAssignees = settings.EDITION === 'enterprise';
  }

  async narrowToProject(project: ProjectRef, caller: Caller | undefined, query: IssueQuery): Promise<Condition> {
    const conditions = await this.buildConditions(query, caller, project);
    return mergeConditions([{ projectId: project.id }, notHiddenFrom(caller, project.accessLevel), ...conditions]);
  }

  async narrowToGroup(
    group: Pick<GroupRef, 'id'>,
    caller: Caller | undefined,
    query: IssueQuery,
    withArchived = false,
  ): Promise<Condition> {
    const where = { feature: 'issues', groupId: group.id, withArchived } as const;
    return this.narrowAcross(where, caller, query);
  }

  async narrowToReadable(caller: Caller | undefined, query: IssueQuery, withArchived = false): Promise<Condition> {
    return this.narrowAcross({ feature: 'issues', withArchived }, caller, query);
  }

  private async narrowAcross(
    where: Parameters<ReadableProjects['findScope']>[1],
    caller: Caller | undefined,
    query: IssueQuery,
  ): Promise<Condition> {
    const [scope, conditions] = await Promise.all([
      this.readable.findScope(caller, where),
      this.buildConditions(query, caller),
    ]);
    return mergeConditions([...conditions, ...filterReadable(scope, caller)]);
  }

  private async buildConditions(query: IssueQuery, caller: Caller | undefined, project?: ProjectRef) {
    const names = query.assignee_username ?? [];
    if (names.length > 1 && !this.severalAssignees) {
      throw invalidParameters(`assignee_username allows one value, but found ${names.length}: ${names.join(', ')}`);
    }
    const owners = project && ownersForProject(project);
    const [shared, iterations] = await Promise.all([
      this.filters.buildConditions({ ...query, scope: scopeOf(query.scope) }, caller, owners),
      this.filterIterations(query, project?.groupIds),
    ]);
    return [
      ...(shared as Condition[]),
      ...filterDueDate(query.due_date),
      ...filterNumber('weight', query.weight),
      ...filterNumber('epicId', query.epic_id),
      ...iterations,
    ];
  }

  /** @param groupIds scope for titles of iterations; all groups if absent */
  private async filterIterations(query: IssueQuery, groupIds?: number[]): Promise<Condition[]> {
    const conditions = filterNumber('iterationId', query.iteration_id);
    const idsOf = (title: string) => this.iterations.findIdsTitled(title, groupIds);
    if (query.iteration_title !== undefined)
      conditions.push({ iterationId: { $in: await idsOf(query.iteration_title) } });
    const { iteration_id: id, iteration_title: title } = query.not ?? {};
    const excluded = [...(id === undefined ? [] : [id]), ...(title === undefined ? [] : await idsOf(title))];
    return excluded.length > 0 ? [...conditions, { iterationId: { $nin: excluded } }] : conditions;
  }
}

/** Merges conditions into one object if their keys differ, which query planners handle best. */
export function mergeConditions<C extends object>(conditions: C[]): C {
  const merged: Record<string, unknown> = {};
  const further: C[] = [];
  for (const condition of conditions) {
    const keys = Object.keys(condition);
    if (keys.some((key) => key in merged)) further.push(condition);
    else Object.assign(merged, condition);
  }
  return (further.length > 0 ? { ...merged, $and: further } : merged) as C;
}

function filterReadable({ ids, hidden, trustedIds }: ReadableScope, caller: Caller | undefined): Condition[] {
  if (!ids) return hidden.length > 0 ? [{ projectId: { $nin: hidden } }] : [];
  const inThem: Condition = { projectId: { $in: ids } };
  if (trustedIds.length === ids.length) return [inThem];
  const open: Condition[] = [{ confidential: false }];
  if (caller) open.push({ authorId: caller.id }, { assigneeIds: caller.id });
  if (trustedIds.length > 0) open.push({ projectId: { $in: trustedIds } });
  return [inThem, { $or: open }];
}

const dayMs = 24 * 60 * 60 * 1000;
const dayFrom = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);

function monthAround(): { $gte: string; $lte: string } {
  const now = new Date();
  const first = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 0));
  return { $gte: first.toISOString().slice(0, 10), $lte: last.toISOString().slice(0, 10) };
}

function weekAround(): { $gte: string; $lte: string } {
  const sinceMonday = (new Date().getUTCDay() + 6) % 7;
  return { $gte: dayFrom(-sinceMonday), $lte: dayFrom(6 - sinceMonday) };
}

function filterDueDate(wanted: string | undefined): Condition[] {
  const endOfNextMonth = (now = new Date()) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2, 0));
  switch (wanted) {
    case undefined:
      return [];
    case '0':
      return [{ dueDate: null }];
    case 'any':
      return [{ dueDate: { $ne: null } }];
    case 'today':
      return [{ dueDate: dayFrom(0) }];
    case 'tomorrow':
      return [{ dueDate: dayFrom(1) }];
    case 'overdue':
      return [{ dueDate: { $lt: dayFrom(0), $type: 'string' } }];
    case 'week':
      return [{ dueDate: weekAround() }];
    case 'month':
      return [{ dueDate: monthAround() }];
    default:
      return [{ dueDate: { $gte: dayFrom(-14), $lte: endOfNextMonth().toISOString().slice(0, 10) } }];
  }
}

const numbers = { weight: 'weight', epicId: 'epic_id', iterationId: 'iteration_id' } as const;

/** A number, `None` or `Any`. @throws common.invalid_parameters */
function filterNumber(field: keyof typeof numbers, value: string | undefined): Condition[] {
  if (value === undefined) return [];
  if (/^none$/i.test(value)) return [{ [field]: null }];
  if (/^any$/i.test(value)) return [{ [field]: { $ne: null } }];
  if (/^\d+$/.test(value)) return [{ [field]: Number(value) }];
  throw invalidParameters(`${numbers[field]} should be an integer, 'None' or 'Any'`);
}
