import {
  type ContextOf,
  createGroup,
  defaultGroupSettings,
  type GroupDetail,
  type ParsedOf,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Avatars } from '../image/avatars';
import { InstanceSettings } from '../instance/application-settings/instance-settings';
import { narrower, requireUnrestricted, requireVisibilityWithin } from '../namespace/visibility-rules';
import { GroupViews } from './group.view';
import { GroupParents } from './group-parents';
import { groupSettingsOf, requireValidGroup } from './group-rules';
import { WriteGroup } from './write-group';

/** Creates a group or subgroup; its creator becomes the owner. */
@Controller()
export class CreateGroup {
  constructor(
    private readonly parents: GroupParents,
    private readonly writer: WriteGroup,
    private readonly instance: InstanceSettings,
    private readonly avatars: Avatars,
    private readonly views: GroupViews,
  ) {}

  @Handles(createGroup)
  async handle({ caller }: ContextOf<typeof createGroup>, input: ParsedOf<typeof createGroup>): Promise<GroupDetail> {
    const parent = await this.parents.find(caller, input.parent_id);
    requireValidGroup(input, parent === null, input.description);
    const instance = await this.instance.read();
    const byDefault = instance.default_group_visibility;
    const visibility = input.visibility ?? (parent ? narrower(byDefault, parent.visibility) : byDefault);
    requireVisibilityWithin(visibility, parent);
    requireUnrestricted(visibility, instance.restricted_visibility_levels, caller.isAdmin);
    const _id = await this.writer.nextId();
    const avatar = (await this.avatars.take('group', _id, input.avatar)) ?? null;
    const writing = this.writer.write({
      _id,
      avatar,
      name: input.name,
      path: input.path,
      parent,
      description: input.description ?? '',
      visibility,
      settings: { ...defaultGroupSettings, ...groupSettingsOf(input) },
      creatorId: caller.id,
    });
    const group = await writing.catch(async (error: unknown) => {
      await this.avatars.forget('group', _id);
      throw error;
    });
    return this.views.detail(group, caller, true);
  }
}
