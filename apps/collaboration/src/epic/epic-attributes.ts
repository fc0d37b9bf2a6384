import { type createEpic, type Given, type GroupRef, onlyGiven, type ParsedOf } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { IssuablePatch } from '../issuable/plan-change';
import { Labels } from '../label/label.repository';
import { ownersForGroup } from '../parent/owner';
import { Epics } from './epic.repository';
import type { EpicDocument } from './epic.schema';
import { EpicHierarchy, invalidParent, refuseParent } from './epic-hierarchy';

type Fields = Given<Omit<ParsedOf<typeof createEpic>, 'id' | 'created_at'>> & {
  add_labels?: string[] | undefined;
  remove_labels?: string[] | undefined;
};

/** Converts input of clients to the stored form of an epic. */
@Injectable()
export class EpicAttributes {
  constructor(
    private readonly labels: Labels,
    private readonly epics: Epics,
    private readonly hierarchy: EpicHierarchy,
  ) {}

  /** @throws common.invalid_record for an invalid parent, and for label names that are too long */
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
        ...(parentId !== undefined && parentId !== epic?.parentId && { parentPosition: null }),
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
    if (!parent) throw invalidParent();
    // An existing epic gets its parent with the change (PlaceEpic).
    if (!epic) await this.hierarchy.requireRoom(parent, undefined).catch(refuseParent);
    return id;
  }
}
