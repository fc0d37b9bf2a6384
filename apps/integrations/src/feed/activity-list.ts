import {
  type Activity,
  type ActivityAction,
  type ActivityTarget,
  type Caller,
  callerInput,
  type OutputOf,
  type Page,
  projectRefs,
  showRecords,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import type { QueryFilter } from 'mongoose';
import { Activities } from './activity.repository';
import type { ActivityDocument } from './activity.schema';
import { type Shown, titlesOf, viewActivity } from './activity.view';
import { type SeenProject, visibleIn } from './visible-activities';

type Filter = QueryFilter<ActivityDocument>;

export interface ActivityFilters {
  action?: ActivityAction | undefined;
  target_type?: ActivityTarget | undefined;
  before?: string | undefined;
  after?: string | undefined;
  sort: 'asc' | 'desc';
  page: number;
  per_page: number;
}

const dayMs = 24 * 60 * 60 * 1000;
const notes = ['Note', 'DiscussionNote', 'DiffNote'];
const types: Record<ActivityTarget, string[]> = {
  design: ['DesignManagement::Design'],
  epic: ['Epic'],
  issue: ['Issue'],
  merge_request: ['MergeRequest'],
  milestone: ['Milestone'],
  note: notes,
  project: ['Project'],
  snippet: ['Snippet'],
  user: ['User'],
  wiki_page: ['WikiPage::Meta'],
};

/** Pages of activities that the caller may see now. */
@Injectable()
export class ActivityList {
  constructor(
    private readonly activities: Activities,
    private readonly client: OperationClient,
    private readonly users: UserDirectory,
  ) {}

  async page(
    within: Filter,
    projects: readonly SeenProject[],
    input: ActivityFilters,
    caller: Caller | undefined,
  ): Promise<Page<Activity>> {
    const filter: Filter = { $and: [within, visibleIn(projects, caller), wanted(input)] };
    const { items, ...page } = await this.activities.page(filter, input.sort, input);
    const shown = await this.collect(items, caller);
    return { ...page, items: items.flatMap((activity) => viewActivity(activity, shown) ?? []) };
  }

  /** Asks the owners of the records what the caller may see of them. */
  private async collect(items: ActivityDocument[], caller: Caller | undefined): Promise<Shown> {
    const idsOf = (...targets: string[]) => [
      ...new Set(
        items.flatMap(({ targetType, targetId }) => (targets.includes(targetType ?? '') ? (targetId ?? []) : [])),
      ),
    ];
    const ids = { issue_ids: idsOf('Issue'), merge_request_ids: idsOf('MergeRequest'), note_ids: idsOf(...notes) };
    const [records, projects, users] = await Promise.all([
      Object.values(ids).some((some) => some.length > 0) ? this.client.call(showRecords, ids, { caller }) : none,
      this.findProjects(idsOf('Project'), caller),
      this.users.summaries(items.map(({ authorId }) => authorId)),
    ]);
    return {
      titles: titlesOf(records),
      notes: new Map(records.notes.map((note) => [note.id, note])),
      projectNames: new Map(projects.map(({ id, name }) => [id, name])),
      users,
    };
  }

  async findProjects(ids: number[], caller: Caller | undefined): Promise<OutputOf<typeof projectRefs>> {
    const found: OutputOf<typeof projectRefs> = [];
    for (let at = 0; at < ids.length; at += idsPerCall) {
      const some = ids.slice(at, at + idsPerCall);
      found.push(...(await this.client.call(projectRefs, { ids: some, ...callerInput(caller) })));
    }
    return found;
  }
}

const idsPerCall = 1000;
const none: OutputOf<typeof showRecords> = { issues: [], merge_requests: [], notes: [] };

function wanted({ action, target_type, before, after }: ActivityFilters): Filter {
  const since = after === undefined ? {} : { $gte: new Date(Date.parse(after) + dayMs) };
  const until = before === undefined ? {} : { $lt: new Date(Date.parse(before)) };
  return {
    ...(action && { action }),
    ...(target_type && { targetType: { $in: types[target_type] } }),
    ...((after !== undefined || before !== undefined) && { createdAt: { ...since, ...until } }),
  };
}
