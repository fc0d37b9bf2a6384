import { Access, type GroupSettings, groupChanged, namedNotFound, type Visibility } from '@moothall/contracts';
import { Counters, newEvent, Outbox } from '@moothall/database';
import { Injectable } from '@nestjs/common';
import { Members } from '../member/member.repository';
import { groupKey } from '../member/source';
import { MoveBelow } from '../move/move-below';
import { deriveGroup } from '../namespace/derive-group';
import { Namespaces } from '../namespace/namespace.repository';
import { mostAbove, type NamespaceDocument } from '../namespace/namespace.schema';
import { Routes } from '../namespace/routes';
import { EndGroup } from './end-group';
import { groupNotSaved } from './group-rules';

interface NewGroup {
  /** Set if an interrupted run may have reserved the path for it already. */
  _id?: number;
  name: string;
  path: string;
  parent: NamespaceDocument | null;
  description: string;
  visibility: Visibility;
  settings: GroupSettings;
  avatar?: NamespaceDocument['avatar'];
  creatorId: number;
  /** The import that created it, and its number in the archive. */
  importedAs?: NonNullable<NamespaceDocument['importedAs']>;
}

/**
 * Creates a group: it reserves the path, stores the owner, and writes the group last, so that no group is ever visible
 * without an owner.
 */
@Injectable()
export class WriteGroup {
  constructor(
    private readonly namespaces: Namespaces,
    private readonly members: Members,
    private readonly routes: Routes,
    private readonly counters: Counters,
    private readonly outbox: Outbox,
    private readonly below: MoveBelow,
    private readonly groups: EndGroup,
  ) {}

  /**
   * @throws group.not_saved if the path is taken or the nesting is too deep; common.not_found if the parent is deleted
   *   meanwhile
   */
  async write(wanted: NewGroup): Promise<NamespaceDocument> {
    const group = await this.insert(wanted);
    const placed = await this.below.catchUp(group);
    if (placed) return placed;
    await this.groups.end(group);
    throw namedNotFound('Group');
  }

  private async insert({
    _id: known,
    creatorId,
    parent,
    name,
    path,
    ...attributes
  }: NewGroup): Promise<NamespaceDocument> {
    const derived = deriveGroup({ name, path, parent });
    if (derived.ancestorIds.length > mostAbove) throw groupNotSaved({ parent_id: ['has too deep level of nesting'] });
    const _id = known ?? (await this.nextId());
    const target = { kind: 'namespace', targetId: _id } as const;
    if (!(await this.routes.claim(derived.fullPath, target))) {
      throw groupNotSaved({ path: ['has already been taken'] });
    }
    try {
      if (known !== undefined) await this.members.forget(groupKey(_id));
      await this.members.add({ source: groupKey(_id), userId: creatorId, accessLevel: Access.Owner });
      const what = { group_id: _id, full_path: derived.fullPath, change: 'created' } as const;
      const event = newEvent(groupChanged, { ...what, actor_id: creatorId });
      const group = await this.outbox.insert(
        this.namespaces.model,
        {
          avatar: null,
          ...attributes,
          ...derived,
          _id,
          kind: 'group',
          ownerIds: [creatorId],
          isMoving: false,
          isDeleting: false,
        },
        event,
      );
      await this.routes.settleOrLeave(derived.fullPath, target);
      return group;
    } catch (error) {
      // After a timeout the database may have written it.
      await this.namespaces.model.deleteOne({ _id });
      await this.forgetUnwritten(_id);
      throw error;
    }
  }

  nextId(): Promise<number> {
    return this.counters.next('namespaces');
  }

  /** Removes the reservations of a group that was not written. */
  async forgetUnwritten(id: number): Promise<void> {
    await this.members.forget(groupKey(id));
    await this.routes.release('namespace', id);
  }
}
