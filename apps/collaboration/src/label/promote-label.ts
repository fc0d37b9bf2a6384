import { Access, type ContextOf, labelErrors, type ParsedOf, promoteLabel } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { projectOwner } from '../parent/owner';
import { mergedIds } from '../promotion/merged-ids';
import { PromotingGroups } from '../promotion/promoting-group';
import { Labels } from './label.repository';
import { viewLabel } from './label.view';
import { LabelReferences } from './label-references';

/** Promotes a project label to its group, with all labels of the same name below. See docs/api/labels.md#2. */
@Controller()
export class PromoteLabel {
  constructor(
    private readonly labels: Labels,
    private readonly references: LabelReferences,
    private readonly groups: PromotingGroups,
  ) {}

  @Handles(promoteLabel)
  async handle({ project, caller }: ContextOf<typeof promoteLabel>, input: ParsedOf<typeof promoteLabel>) {
    const label = await this.labels.get([projectOwner(project.id)], input.label_id);
    const { owner, projects } = await this.groups.find(project, caller, {
      level: Access.Reporter,
      noGroup: labelErrors.noGroup,
    });
    const same = await this.labels.findIdsNamed(label.title, projects);
    const promoted = await this.labels.add({
      owner,
      title: label.title,
      color: label.color,
      description: label.description,
      priorities: label.priorities,
      subscriberIds: label.subscriberIds,
      absorbs: mergedIds([label._id, ...same]),
    });
    await this.references.merge(promoted);
    return viewLabel(promoted, caller.id, project.id);
  }
}
