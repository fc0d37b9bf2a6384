import { groupDeleted } from '@moothall/contracts';
import { newEvent, Outbox } from '@moothall/database';
import { type JobQueue, Jobs, jobQueue, WorksOn } from '@moothall/jobs';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Namespaces } from '../namespace/namespace.repository';
import type { NamespaceDocument } from '../namespace/namespace.schema';
import { Routes } from '../namespace/routes';
import { RemoveProject } from '../project/remove-project';
import { groupRemovals } from './end-group';

const sweep: JobQueue<Record<string, never>> = jobQueue({ name: 'projects.group-removal-sweep' });
const sweepEverySeconds = 60;

/** Does what the end of a group leaves to the background. */
@Injectable()
export class RemoveGroup implements OnApplicationBootstrap {
  constructor(
    private readonly namespaces: Namespaces,
    private readonly routes: Routes,
    private readonly outbox: Outbox,
    private readonly jobs: Jobs,
    private readonly projects: RemoveProject,
  ) {}

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

  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.every(sweep, sweepEverySeconds, {});
    await this.resume();
  }

  /** Redis may have lost the jobs, or not taken them; the marks say what is left to do. */
  @WorksOn(sweep)
  async resume(): Promise<void> {
    const marked = await this.namespaces.model.find({ isDeleting: true }, { _id: 1 }).lean<{ _id: number }[]>();
    for (const { _id } of marked) await this.jobs.add(groupRemovals, { group_id: _id }, { id: `group ${_id}` });
  }
}
