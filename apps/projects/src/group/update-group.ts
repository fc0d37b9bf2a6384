import { setTimeout as wait } from 'node:timers/promises';
import {
  type ContextOf,
  commonErrors,
  type GroupDetail,
  groupChanged,
  groupErrors,
  isError,
  type ParsedOf,
  setGroupAvatar,
  updateGroup,
  type Visibility,
} from '@moothall/contracts';
import { newEvent, Outbox } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Avatars } from '../image/avatars';
import { InstanceSettings } from '../instance/application-settings/instance-settings';
import { MoveNamespace, PathTaken } from '../move/move-namespace';
import { Namespaces } from '../namespace/namespace.repository';
import type { NamespaceDocument } from '../namespace/namespace.schema';
import { below } from '../namespace/set-below';
import { shownBefore } from '../namespace/shown-before';
import { isWider, requireRoomFor, requireUnrestricted, requireVisibilityWithin } from '../namespace/visibility-rules';
import { Projects } from '../project/project.repository';
import { GroupViews } from './group.view';
import { groupNotSaved, groupSettingsOf, requireValidGroup } from './group-rules';

type Input = ParsedOf<typeof updateGroup>;

/** Lower bound of the duration of a move, which grows with the number of projects. */
const moveTakesMs = 20;
const waitForMoveMs = 30_000;

/** Changes names, visibility and settings of a group. A new path or name is applied to everything below. */
@Controller()
export class UpdateGroup {
  constructor(
    private readonly namespaces: Namespaces,
    private readonly projects: Projects,
    private readonly moves: MoveNamespace,
    private readonly outbox: Outbox,
    private readonly avatars: Avatars,
    private readonly instance: InstanceSettings,
    private readonly views: GroupViews,
  ) {}

  @Handles(updateGroup)
  async handle({ group: { id }, caller }: ContextOf<typeof updateGroup>, input: Input): Promise<GroupDetail> {
    const group = await this.namespaces.getGroup(id);
    const parent = group.parentId === null ? null : await this.namespaces.getGroup(group.parentId);
    requireValidGroup(input, parent === null, input.description);
    if (input.visibility && input.visibility !== group.visibility) {
      const { restricted_visibility_levels } = await this.instance.read();
      requireUnrestricted(input.visibility, restricted_visibility_levels, caller.isAdmin);
      await this.requireVisibility(group, parent, input.visibility);
    }
    await this.requireTemplatesBelow(id, input.file_template_project_id);
    const avatar = await this.avatars.take('group', id, input.avatar, group.avatar);
    const moved = await this.rename(id, input, caller.id);
    const set = {
      ...(input.description !== undefined && { description: input.description ?? '' }),
      ...(input.visibility && { visibility: input.visibility }),
      ...(avatar !== undefined && { avatar }),
      ...below('settings', groupSettingsOf(input)),
    };
    const event = newEvent(groupChanged, {
      group_id: id,
      full_path: moved.fullPath,
      change: 'updated',
      before: shownBefore(moved, { ...moved, ...set }),
      actor_id: caller.id,
    });
    const updated = await this.outbox.update(this.namespaces.model, { _id: id }, { $set: set }, event);
    if (!updated) throw groupErrors.notFound();
    return this.views.detail(updated, caller, false);
  }

  /** Changes the avatar alone. */
  @Handles(setGroupAvatar)
  async setAvatar(context: ContextOf<typeof setGroupAvatar>, { id, file }: ParsedOf<typeof setGroupAvatar>) {
    return this.handle(context, { id, avatar: file });
  }

  private async requireTemplatesBelow(groupId: number, projectId: number | null | undefined): Promise<void> {
    if (!projectId || (await this.projects.model.exists({ _id: projectId, groupIds: groupId }))) return;
    throw groupNotSaved({ file_template_project_id: ['is invalid'] });
  }

  /** Concurrent changes run one after the other, each on the result of the previous one. */
  private async rename(id: number, input: Input, actorId: number): Promise<NamespaceDocument> {
    const deadline = Date.now() + waitForMoveMs;
    for (;;) {
      const group = await this.namespaces.getGroup(id);
      const { name = group.name, path = group.path } = input;
      if (name === group.name && path === group.path) return group;
      const parent = group.parentId === null ? null : await this.namespaces.getGroup(group.parentId);
      try {
        return await this.moves.move(group, { name, path, parent }, actorId);
      } catch (error) {
        if (error instanceof PathTaken) throw groupNotSaved({ path: ['has already been taken'] });
        if (!isError(error, commonErrors.conflict) || Date.now() > deadline) throw error;
        await wait(moveTakesMs);
      }
    }
  }

  private async requireVisibility(group: NamespaceDocument, parent: NamespaceDocument | null, visibility: Visibility) {
    requireVisibilityWithin(visibility, parent);
    if (!isWider(group.visibility, visibility)) return;
    const [projects, groups] = await Promise.all([
      this.projects.model.distinct('visibility', { groupIds: group._id }),
      this.namespaces.model.distinct('visibility', { ancestorIds: group._id, isDeleting: false }),
    ]);
    requireRoomFor(visibility, { project: widestOf(projects), group: widestOf(groups) });
  }
}

const widestOf = (visibilities: Visibility[]): Visibility =>
  visibilities.reduce<Visibility>((widest, one) => (isWider(one, widest) ? one : widest), 'private');
