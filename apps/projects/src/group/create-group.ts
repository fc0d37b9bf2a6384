import {
  Access,
  type Caller,
  type ContextOf,
  commonErrors,
  createGroup,
  defaultGroupSettings,
  type GroupDetail,
  namedNotFound,
  type ParsedOf,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Controller } from '@nestjs/common';
import { askerOf, Grants } from '../access/grants';
import { groupKey } from '../member/source';
import { Namespaces } from '../namespace/namespace.repository';
import type { NamespaceDocument } from '../namespace/namespace.schema';
import { isWider, requireVisibilityWithin } from '../namespace/visibility-rules';
import { GroupViews } from './group.view';
import { groupSettingsOf, requireValidGroup, subgroupLevel } from './group-rules';
import { WriteGroup } from './write-group';

/** Creates a group or subgroup; who creates it owns it. */
@Controller()
export class CreateGroup {
  constructor(
    private readonly namespaces: Namespaces,
    private readonly grants: Grants,
    private readonly writer: WriteGroup,
    private readonly users: UserDirectory,
    private readonly views: GroupViews,
  ) {}

  @Handles(createGroup)
  async handle({ caller }: ContextOf<typeof createGroup>, input: ParsedOf<typeof createGroup>): Promise<GroupDetail> {
    const parent = input.parent_id ? await this.parentFor(caller, input.parent_id) : null;
    if (!parent) await this.requireMayCreate(caller);
    requireValidGroup(input, parent === null, input.description);
    const visibility = input.visibility ?? 'private';
    requireVisibilityWithin(visibility, parent);
    const group = await this.writer.write({
      name: input.name,
      path: input.path,
      parent,
      description: input.description ?? '',
      visibility,
      settings: { ...defaultGroupSettings, ...groupSettingsOf(input) },
      creatorId: caller.id,
    });
    return this.views.detail(group, caller, true);
  }

  private async requireMayCreate(caller: Caller): Promise<void> {
    const { can_create_group } = await this.users.get(caller.id);
    if ((!can_create_group || caller.isExternal) && !caller.isAdmin) throw commonErrors.forbidden();
  }

  /** @throws common.not_found when the caller may not see it, common.forbidden when not enough */
  async parentFor(caller: Caller, parentId: number): Promise<NamespaceDocument> {
    const parent = await this.namespaces.find(parentId);
    if (parent?.kind !== 'group') throw namedNotFound('Group');
    const grants = await this.grants.within(askerOf(caller), [parent._id, ...parent.ancestorIds].map(groupKey));
    const level = grants.inGroup(parent);
    if (level === Access.None && isWider('internal', parent.visibility)) throw namedNotFound('Group');
    if (level < subgroupLevel(parent.settings)) throw commonErrors.forbidden();
    if (parent.isMoving) throw commonErrors.conflict();
    return parent;
  }
}
