import {
  type Caller,
  type ContextOf,
  commonErrors,
  listGroupMergeRequests,
  listMergeRequests,
  listProjectMergeRequests,
  type ParsedOf,
  type ProjectRef,
  scopeOf,
} from '@moothall/contracts';
import { findPage } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { IssuableFilter } from '../issuable/issuable-filter';
import { all } from '../issue/issue-scope';
import { type OwnerKey, ownersForProject } from '../place/owner';
import { ReadableProjects } from '../place/readable-projects';
import type { MergeRequestDocument } from './merge-request.schema';
import { MergeRequestViews } from './merge-request-views';

type Condition = QueryFilter<MergeRequestDocument>;
type Input = Omit<ParsedOf<typeof listProjectMergeRequests>, 'id'>;

/** Merge requests of a project, of a group, or of everything the caller reads. */
@Controller()
export class ListMergeRequests {
  constructor(
    @InjectModel('MergeRequest') private readonly mergeRequests: Model<MergeRequestDocument>,
    private readonly filters: IssuableFilter,
    private readonly readable: ReadableProjects,
    private readonly views: MergeRequestViews,
  ) {}

  @Handles(listProjectMergeRequests)
  async ofProject(
    { project, caller }: ContextOf<typeof listProjectMergeRequests>,
    input: ParsedOf<typeof listProjectMergeRequests>,
  ) {
    const conditions = await this.narrowed(input, caller, ownersForProject(project));
    return this.list([{ projectId: project.id }, ...conditions], input, project);
  }

  @Handles(listGroupMergeRequests)
  async ofGroup(
    { group, caller }: ContextOf<typeof listGroupMergeRequests>,
    input: ParsedOf<typeof listGroupMergeRequests>,
  ) {
    return this.across(caller, input, group.id);
  }

  @Handles(listMergeRequests)
  async ofEverything({ caller }: ContextOf<typeof listMergeRequests>, input: ParsedOf<typeof listMergeRequests>) {
    // Nobody is no author and no assignee. Source: clarifications C.4, which merge requests follow.
    if (!caller && input.scope !== 'all') throw commonErrors.unauthorized();
    return this.across(caller, input);
  }

  private async across(caller: Caller | undefined, input: Input & { non_archived: boolean }, groupId?: number) {
    const where = { feature: 'merge_requests', readsCode: true, groupId, withArchived: !input.non_archived } as const;
    const [readable, conditions] = await Promise.all([
      this.readable.scope(caller, where),
      this.narrowed(input, caller),
    ]);
    const place: Condition = readable.ids
      ? { projectId: { $in: readable.ids } }
      : { projectId: { $nin: readable.hidden } };
    return this.list([...conditions, place], input);
  }

  private async list(conditions: Condition[], input: Input, project?: ProjectRef) {
    const state: Condition[] = input.state === 'all' ? [] : [{ state: input.state }];
    const direction = input.sort === 'asc' ? 1 : -1;
    const field = input.order_by === 'updated_at' ? 'updatedAt' : 'createdAt';
    const sort = { [field]: direction, _id: direction } as const;
    const filter = all([...conditions, ...state] as never) as Condition;
    const { items, total } = await findPage(this.mergeRequests, filter, sort, input);
    if (input.view === 'simple') return { items: await this.views.viewSimple(items, project), total };
    const options = { withLabelDetails: input.with_labels_details };
    return { items: await this.views.view(items, project, options), total };
  }

  private async narrowed(input: Input, caller: Caller | undefined, owners?: OwnerKey[]): Promise<Condition[]> {
    const [shared, reviewers] = await Promise.all([
      this.filters.conditions({ ...input, scope: scopeOf(input.scope) }, caller, owners),
      this.reviewed(input),
    ]);
    const draft = input.draft ?? (input.wip === undefined ? undefined : input.wip === 'yes');
    return [
      ...(shared as Condition[]),
      ...reviewers,
      ...exactly('sourceBranch', input.source_branch),
      ...exactly('targetBranch', input.target_branch),
      ...exactly('sourceProjectId', input.source_project_id),
      ...exactly('isDraft', draft),
    ];
  }

  private async reviewed({ reviewer_id, reviewer_username }: Input): Promise<Condition[]> {
    if (reviewer_id !== undefined) {
      if (/^none$/i.test(reviewer_id)) return [{ reviewerIds: [] }];
      return [/^any$/i.test(reviewer_id) ? { reviewerIds: { $ne: [] } } : { reviewerIds: Number(reviewer_id) }];
    }
    if (reviewer_username === undefined) return [];
    return [{ reviewerIds: { $in: await this.filters.userIds([reviewer_username]) } }];
  }
}

const exactly = (field: keyof MergeRequestDocument, value: unknown): Condition[] =>
  value === undefined ? [] : [{ [field]: value }];
