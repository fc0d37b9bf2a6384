import {
  type Caller,
  type ContextOf,
  descendantGroups,
  type Label,
  listGroupLabels,
  listProjectLabels,
  type Page,
  type ParsedOf,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { groupOwner, type OwnerKey, ownersForGroup, ownersForProject, projectOwner } from '../parent/owner';
import { Labels } from './label.repository';
import { viewLabel } from './label.view';
import { LabelCounter } from './label-counter';

type ListInput = ParsedOf<typeof listProjectLabels>;

/** Labels of a project or group, by name. */
@Controller()
export class ListLabels {
  constructor(
    private readonly labels: Labels,
    private readonly counter: LabelCounter,
    private readonly client: OperationClient,
  ) {}

  @Handles(listProjectLabels)
  async listOfProject({ project, caller }: ContextOf<typeof listProjectLabels>, input: ListInput) {
    const owners = input.include_ancestor_groups ? ownersForProject(project) : [projectOwner(project.id)];
    return this.list(owners, input, caller, project.id);
  }

  @Handles(listGroupLabels)
  async listOfGroup({ group, caller }: ContextOf<typeof listGroupLabels>, input: ParsedOf<typeof listGroupLabels>) {
    const owners = input.include_ancestor_groups ? ownersForGroup(group) : [groupOwner(group.id)];
    if (input.include_descendant_groups) {
      const below = await this.client.call(descendantGroups, { group_id: group.id });
      owners.push(...below.map(groupOwner));
    }
    return this.list([...new Set(owners)], input, caller);
  }

  private async list(
    owners: OwnerKey[],
    input: ListInput,
    caller: Caller | undefined,
    projectId?: number,
  ): Promise<Page<Label>> {
    const page = await this.labels.findPage(owners, input.search, input);
    const ids = page.items.map(({ _id }) => _id);
    const counts = input.with_counts ? await this.counter.count(ids, projectId) : undefined;
    return {
      ...page,
      items: page.items.map((label) => viewLabel(label, caller?.id, projectId, counts?.get(label._id))),
    };
  }
}
