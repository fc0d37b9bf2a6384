import {
  Access,
  type Caller,
  type ContextOf,
  callerInput,
  descendantGroups,
  type GroupRef,
  getEpic,
  isReadable,
  listEpics,
  type ParsedOf,
} from '@moothall/contracts';
import { findPage } from '@moothall/database';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import type { QueryFilter } from 'mongoose';
import { IssuableFilter } from '../issuable/issuable-filter';
import { ParentDirectory } from '../parent/parent-directory';
import { Epics } from './epic.repository';
import type { EpicDocument } from './epic.schema';
import { EpicViews } from './epic-views';

type Filter = QueryFilter<EpicDocument>;
type ListInput = ParsedOf<typeof listEpics>;

@Controller()
export class ReadEpics {
  constructor(
    private readonly epics: Epics,
    private readonly filters: IssuableFilter,
    private readonly views: EpicViews,
    private readonly parents: ParentDirectory,
    private readonly client: OperationClient,
  ) {}

  @Handles(getEpic)
  async get({ group, caller }: ContextOf<typeof getEpic>, input: ParsedOf<typeof getEpic>) {
    return this.views.viewOne(await this.epics.get(group, input.epic_iid, caller), caller);
  }

  @Handles(listEpics)
  async list({ group, caller }: ContextOf<typeof listEpics>, input: ListInput) {
    const [groups, conditions] = await Promise.all([
      this.findGroups(group, input, caller),
      this.filters.buildConditions(input, caller),
    ]);
    const filter: Filter = {
      groupId: { $in: groups.map(({ id }) => id) },
      ...(input.state !== 'all' && { state: input.state }),
      ...(input.iid !== undefined && { iid: input.iid }),
      $and: [confidentialIn(groups, caller), ...(conditions as Filter[])],
    };
    const direction = input.sort === 'asc' ? 1 : -1;
    const field = input.order_by === 'updated_at' ? 'updatedAt' : 'createdAt';
    const page = await findPage(this.epics.model, filter, { [field]: direction, _id: direction }, input);
    return { ...page, items: await this.views.view(page.items, input.with_labels_details) };
  }

  /** The group, and the requested and readable groups above and below it. */
  private async findGroups(group: GroupRef, input: ListInput, caller: Caller | undefined): Promise<GroupRef[]> {
    const below = input.include_descendant_groups
      ? await this.client.call(descendantGroups, { group_id: group.id })
      : [];
    const others = [...below, ...(input.include_ancestor_groups ? group.ancestorIds : [])];
    const ids = [...new Set(others)].filter((id) => id !== group.id);
    if (ids.length === 0) return [group];
    const found = await this.parents.readGroups(ids, callerInput(caller));
    return [group, ...found.filter((one) => isReadable(one, caller))];
  }
}

/** Reporters of the group and the author may see confidential epics. */
function confidentialIn(groups: GroupRef[], caller: Caller | undefined): Filter {
  const trusted = groups.filter(({ accessLevel }) => accessLevel >= Access.Reporter).map(({ id }) => id);
  if (trusted.length === groups.length) return {};
  const open: Filter[] = [{ confidential: false }, { groupId: { $in: trusted } }];
  return { $or: caller ? [...open, { authorId: caller.id }] : open };
}
