import {
  Access,
  askedBy,
  type ContextOf,
  forbidden,
  labelErrors,
  type ParsedOf,
  promoteLabel,
  readableProjects,
  resolveGroup,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { groupOwner, projectOwner } from '../parent/owner';
import { Labels } from './label.repository';
import { viewLabel } from './label.view';
import { LabelReferences } from './label-references';

/** Makes a project's label one of its group, together with all of its name below. See docs/api/labels.md#2. */
@Controller()
export class PromoteLabel {
  constructor(
    private readonly labels: Labels,
    private readonly references: LabelReferences,
    private readonly client: OperationClient,
  ) {}

  @Handles(promoteLabel)
  async handle({ project, caller }: ContextOf<typeof promoteLabel>, input: ParsedOf<typeof promoteLabel>) {
    const label = await this.labels.get([projectOwner(project.id)], input.label_id);
    const groupId = project.groupIds[0];
    if (groupId === undefined) throw labelErrors.noGroup();
    const { group } = await this.client.call(resolveGroup, { group: String(groupId), ...askedBy(caller) });
    if (group.accessLevel < Access.Reporter) throw forbidden();
    const below = await this.client.call(readableProjects, { user_id: null, is_admin: true, group_id: groupId });
    const same = await this.labels.findIdsNamed(
      label.title,
      below.map(({ id }) => projectOwner(id)),
    );
    const promoted = await this.labels.add({
      owner: groupOwner(groupId),
      title: label.title,
      color: label.color,
      description: label.description,
      priorities: label.priorities,
      subscriberIds: label.subscriberIds,
      absorbs: [...new Set([label._id, ...same])],
    });
    await this.references.absorb(promoted);
    return viewLabel(promoted, caller.id, project.id);
  }
}
