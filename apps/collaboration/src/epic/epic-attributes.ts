import {
  type createEpic,
  type Given,
  type GroupRef,
  invalidRecord,
  onlyGiven,
  type ParsedOf,
} from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { IssuablePatch } from '../issuable/plan-change';
import { Labels } from '../label/label.repository';
import { ownersForGroup } from '../parent/owner';
import { Epics } from './epic.repository';
import type { EpicDocument } from './epic.schema';

type Fields = Given<Omit<ParsedOf<typeof createEpic>, 'id' | 'created_at'>> & {
  add_labels?: string[] | undefined;
  remove_labels?: string[] | undefined;
};

const deepest = 20;

/** Brings what clients name of an epic to what is stored. */
@Injectable()
export class EpicAttributes {
  constructor(
    private readonly labels: Labels,
    private readonly epics: Epics,
  ) {}

  /** @throws common.invalid_record for a parent that is not to be had, and for names of labels that are too long */
  async buildPatch(group: GroupRef, given: Fields, epic?: EpicDocument): Promise<IssuablePatch> {
    const owners = ownersForGroup(group);
    const [labelIds, addLabelIds, removed, parentId] = await Promise.all([
      given.labels === undefined ? undefined : this.labels.findOrMakeIds(given.labels ?? [], owners),
      given.add_labels && this.labels.findOrMakeIds(given.add_labels, owners),
      given.remove_labels && this.labels.findNamed(given.remove_labels, owners),
      this.findParentId(group, given.parent_id, epic),
    ]);
    return {
      title: given.title?.trim(),
      description: given.description,
      confidential: given.confidential,
      labelIds,
      addLabelIds,
      removeLabelIds: removed?.map(({ _id }) => _id),
      silent: onlyGiven({
        parentId,
        startDateFixed: given.start_date_fixed,
        startDateIsFixed: given.start_date_is_fixed,
        dueDateFixed: given.due_date_fixed,
        dueDateIsFixed: given.due_date_is_fixed,
      }),
    };
  }

  private async findParentId(
    group: GroupRef,
    id: number | null | undefined,
    epic?: EpicDocument,
  ): Promise<number | null | undefined> {
    if (!id) return id === undefined ? undefined : null;
    const groups = [group.id, ...group.ancestorIds];
    const parent = await this.epics.model.findOne({ _id: id, groupId: { $in: groups } }).lean<EpicDocument>();
    if (!parent || (await this.isBelow(parent, epic))) throw invalidRecord({ parent_id: ['is invalid'] });
    return id;
  }

  /** An epic cannot be above itself. */
  private async isBelow(candidate: EpicDocument, epic: EpicDocument | undefined): Promise<boolean> {
    let above: EpicDocument | null = candidate;
    for (let depth = 0; above && depth < deepest; depth++) {
      if (above._id === epic?._id) return true;
      above = above.parentId === null ? null : await this.epics.model.findById(above.parentId).lean<EpicDocument>();
    }
    return above !== null;
  }
}
