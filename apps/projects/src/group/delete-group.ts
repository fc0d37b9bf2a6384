import { type ContextOf, deleteGroup, type GroupRef, groupDeleted, type ParsedOf } from '@moothall/contracts';
import { newEvent, Outbox } from '@moothall/database';
import { type JobQueue, Jobs, jobQueue, WorksOn } from '@moothall/jobs';
import { Handles } from '@moothall/messaging';
import { Controller, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Namespaces } from '../namespace/namespace.repository';
import type { NamespaceDocument } from '../namespace/namespace.schema';
import { Routes } from '../namespace/routes';
import { RemoveProject } from '../project/remove-project';

/** Removes what is below a deleted group, then the group. Safe to run twice: it removes what it still finds. */
export const groupRemovals: JobQueue<{ group_id: number }> = jobQueue({ name: 'projects.group-removals' });

@Injectable()
export class RemoveGroup implements OnApplicationBootstrap {
  constructor(
    private readonly namespaces: Namespaces,
    private readonly routes: Routes,
    private readonly outbox: Outbox,
    private readonly jobs: Jobs,
    private readonly projects: RemoveProject,
  ) {}

  /** Hides a group and all below it, and has them removed. */
  async begin(group: Pick<GroupRef, 'id' | 'fullPath'>): Promise<void> {
    const { model } = this.namespaces;
    const event = newEvent(groupDeleted, { group_id: group.id, full_path: group.fullPath });
    const mark = { $set: { isDeleting: true } };
    await this.outbox.update(model, { _id: group.id, isDeleting: false }, mark, event);
    await model.updateMany({ ancestorIds: group.id }, mark);
    await this.routes.release('namespace', group.id);
    await this.jobs.add(groupRemovals, { group_id: group.id }, { id: `group ${group.id}` });
  }

  @WorksOn(groupRemovals)
  async run({ group_id }: { group_id: number }): Promise<void> {
    const { model } = this.namespaces;
    // Whoever deleted it may have been stopped between the mark on the group and the marks below.
    await model.updateMany({ ancestorIds: group_id }, { $set: { isDeleting: true } });
    await this.projects.allIn({ groupIds: group_id });
    const groups = await model
      .find({ $or: [{ _id: group_id }, { ancestorIds: group_id }] })
      .lean<NamespaceDocument[]>();
    const deepestFirst = groups.sort((one, other) => other.ancestorIds.length - one.ancestorIds.length);
    for (const group of deepestFirst) {
      await this.routes.release('namespace', group._id);
      const event = newEvent(groupDeleted, { group_id: group._id, full_path: group.fullPath });
      await this.outbox.remove(model, group._id, event);
    }
  }

  /** Redis may have lost the jobs; the marks say what is left to do. */
  async onApplicationBootstrap(): Promise<void> {
    const marked = await this.namespaces.model.find({ isDeleting: true }, { _id: 1 }).lean<{ _id: number }[]>();
    for (const { _id } of marked) await this.jobs.add(groupRemovals, { group_id: _id }, { id: `group ${_id}` });
  }
}

/** Deletes a group. It is gone at once, for it and all groups below are marked; what they hold goes in the background. */
@Controller()
export class DeleteGroup {
  constructor(private readonly removal: RemoveGroup) {}

  @Handles(deleteGroup)
  async handle({ group }: ContextOf<typeof deleteGroup>, _: ParsedOf<typeof deleteGroup>) {
    await this.removal.begin(group);
    return { message: '202 Accepted' };
  }
}
