import { Injectable } from '@nestjs/common';
import { ChangeIssuable } from '../issuable/change-issuable';
import type { IssuablePatch } from '../issuable/plan-change';
import type { EpicDocument } from './epic.schema';
import { EpicHierarchy } from './epic-hierarchy';
import { EpicKind } from './epic-kind';

type Change = (current: EpicDocument) => IssuablePatch;
type By = Parameters<ChangeIssuable['change']>[3];

/** Changes of an epic that may move it below another one. */
@Injectable()
export class PlaceEpic {
  constructor(
    private readonly kind: EpicKind,
    private readonly hierarchy: EpicHierarchy,
    private readonly changes: ChangeIssuable,
  ) {}

  /**
   * Two concurrent requests may each pass the check and together build a cycle: each checks again and reverts its own
   * change.
   * @throws child_epic.circle; child_epic.too_deep; child_epic.too_many
   */
  async change(epic: EpicDocument, parent: EpicDocument, patchOf: Change, by: By): Promise<EpicDocument> {
    await this.hierarchy.requireRoom(parent, epic);
    const changed = await this.changes.change(this.kind, epic, patchOf, by);
    try {
      await this.requireSound(changed);
    } catch (error) {
      const { parentId, parentPosition = null } = epic;
      const undo = (current: EpicDocument): IssuablePatch =>
        current.parentId === parent._id ? { silent: { parentId, parentPosition } } : {};
      await this.changes.change(this.kind, changed, undo, by);
      throw error;
    }
    return changed;
  }

  private async requireSound(epic: EpicDocument): Promise<void> {
    if (epic.parentId === null) return;
    const parent = await this.kind.model.findById(epic.parentId).lean<EpicDocument>();
    if (parent) await this.hierarchy.requireRoom(parent, epic);
  }
}
