import { Access, type Caller, commonErrors, namedNotFound } from '@moothall/contracts';
import { UserDirectory } from '@moothall/users';
import { Injectable } from '@nestjs/common';
import { Grants, principalOf } from '../access/grants';
import { groupKey } from '../member/source';
import { Namespaces } from '../namespace/namespace.repository';
import type { NamespaceDocument } from '../namespace/namespace.schema';
import { isWider } from '../namespace/visibility-rules';
import { subgroupLevel } from './group-rules';

/** Checks where a user may create a group. */
@Injectable()
export class GroupParents {
  constructor(
    private readonly namespaces: Namespaces,
    private readonly grants: Grants,
    private readonly users: UserDirectory,
  ) {}

  /**
   * The parent of a new group, null for a top-level group.
   * @throws common.not_found if the caller may not see the parent, common.forbidden without the permission
   */
  async find(caller: Caller, parentId: number | null | undefined): Promise<NamespaceDocument | null> {
    if (parentId) return this.findParent(caller, parentId);
    const { can_create_group } = await this.users.get(caller.id);
    if ((!can_create_group || caller.isExternal) && !caller.isAdmin) throw commonErrors.forbidden();
    return null;
  }

  private async findParent(caller: Caller, parentId: number): Promise<NamespaceDocument> {
    const parent = await this.namespaces.find(parentId);
    if (parent?.kind !== 'group') throw namedNotFound('Group');
    const grants = await this.grants.findLevelsWithin(
      principalOf(caller),
      [parent._id, ...parent.ancestorIds].map(groupKey),
    );
    const level = grants.levelInGroup(parent);
    if (level === Access.None && isWider('internal', parent.visibility)) throw namedNotFound('Group');
    if (level < subgroupLevel(parent.settings)) throw commonErrors.forbidden();
    if (parent.isMoving) throw commonErrors.conflict();
    return parent;
  }
}
