import {
  Access,
  type Caller,
  type ContextOf,
  type GroupDetail,
  isError,
  memberErrors,
  namedNotFound,
  type ParsedOf,
  transferErrors,
  transferGroup,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Grants, principalOf } from '../access/grants';
import { GroupViews } from '../group/group.view';
import { subgroupLevel } from '../group/group-rules';
import { Members } from '../member/member.repository';
import { groupKey } from '../member/source';
import { MoveNamespace, PathTaken } from '../move/move-namespace';
import { Namespaces } from '../namespace/namespace.repository';
import { mostAbove, type NamespaceDocument } from '../namespace/namespace.schema';
import { isWider } from '../namespace/visibility-rules';

/** Moves a group with everything below it under another group, or to the top level. */
@Controller()
export class TransferGroup {
  constructor(
    private readonly namespaces: Namespaces,
    private readonly moves: MoveNamespace,
    private readonly members: Members,
    private readonly grants: Grants,
    private readonly views: GroupViews,
  ) {}

  @Handles(transferGroup)
  async handle(
    { group: { id }, caller }: ContextOf<typeof transferGroup>,
    input: ParsedOf<typeof transferGroup>,
  ): Promise<GroupDetail> {
    const group = await this.namespaces.getGroup(id);
    const parent = input.group_id === undefined ? null : await this.parentFor(group, caller, input.group_id);
    if (group.parentId === (parent?._id ?? null)) {
      throw transferErrors.refused(
        parent ? 'Group is already in this parent group.' : 'Group is already a root group.',
      );
    }
    // At the top level no group above has owners for it.
    if (!parent && group.ownerIds.length === 0) await this.makeOwner(group, caller);
    const { name, path } = group;
    const moved = await this.moves.move(group, { name, path, parent }, caller.id).catch((error: unknown) => {
      throw error instanceof PathTaken
        ? transferErrors.refused('The parent group already has a subgroup or a project with the same path.')
        : error;
    });
    return this.views.detail(moved, caller, true);
  }

  private async parentFor(group: NamespaceDocument, caller: Caller, parentId: number): Promise<NamespaceDocument> {
    const parent = await this.namespaces.find(parentId);
    if (parent?.kind !== 'group') throw namedNotFound('Group');
    const grants = await this.grants.findLevelsWithin(
      principalOf(caller),
      [parent._id, ...parent.ancestorIds].map(groupKey),
    );
    if (grants.levelInGroup(parent) < subgroupLevel(parent.settings)) throw namedNotFound('Group');
    if (parent._id === group._id || parent.ancestorIds.includes(group._id)) {
      throw transferErrors.refused('Cannot transfer group to itself or to one of its subgroups.');
    }
    if (isWider(group.visibility, parent.visibility)) {
      throw transferErrors.refused('The group is more visible than the group it would go to.');
    }
    if (await this.wouldBeTooDeep(group, parent.ancestorIds.length + 1))
      throw transferErrors.refused(`A group would stand below too many others (maximum is ${mostAbove}).`);
    return parent;
  }

  /** Whether it, or a group below it, would exceed the nesting limit. */
  private async wouldBeTooDeep({ _id, ancestorIds }: NamespaceDocument, above: number): Promise<boolean> {
    if (above > mostAbove) return true;
    const tooMany = `ancestorIds.${ancestorIds.length + mostAbove - above}`;
    return (await this.namespaces.model.exists({ ancestorIds: _id, [tooMany]: { $exists: true } })) !== null;
  }

  private async makeOwner(group: NamespaceDocument, caller: Caller): Promise<void> {
    const source = groupKey(group._id);
    await this.members.add({ source, userId: caller.id, accessLevel: Access.Owner }).catch(async (error: unknown) => {
      if (!isError(error, memberErrors.exists)) throw error;
      await this.members.change(await this.members.get(source, caller.id), {
        accessLevel: Access.Owner,
        expiresAt: null,
      });
    });
  }
}
