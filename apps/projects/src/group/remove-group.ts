import { eachAlone, PeriodicJob } from '@moothall/background';
import { Outbox } from '@moothall/database';
import { Jobs, WorksOn } from '@moothall/jobs';
import { Injectable } from '@nestjs/common';
import { Namespaces } from '../namespace/namespace.repository';
import type { NamespaceDocument } from '../namespace/namespace.schema';
import { Routes } from '../namespace/routes';
import { RemoveProject } from '../project/remove-project';
import { endOf, groupRemovals } from './end-group';

/** Runs the background part of a group's deletion. */
@Injectable()
export class RemoveGroup {
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
    // The request may have been interrupted between the mark on the group and the marks below.
    await model.updateMany({ ancestorIds: group_id }, { $set: { isDeleting: true } });
    await this.projects.removeAll({ groupIds: group_id });
    const groups = await model
      .find({ $or: [{ _id: group_id }, { ancestorIds: group_id }] })
      .lean<NamespaceDocument[]>();
    const deepestFirst = groups.sort((one, other) => other.ancestorIds.length - one.ancestorIds.length);
    for (const group of deepestFirst) {
      await this.routes.release('namespace', group._id);
      await this.outbox.remove(model, group._id, endOf(group));
    }
  }

  /** Redis may have lost the jobs; the marks show which groups are to be removed. */
  @PeriodicJob('group removals', { everySeconds: 60 })
  async queueMarked(signal?: AbortSignal): Promise<void> {
    const fields = { _id: 1, ancestorIds: 1 };
    const marked = await this.namespaces.model.find({ isDeleting: true }, fields).lean<NamespaceDocument[]>();
    const ids = new Set(marked.map(({ _id }) => _id));
    // Groups below are removed with the topmost one.
    const tops = marked.filter(({ ancestorIds }) => !ancestorIds.some((id) => ids.has(id)));
    const add = ({ _id }: NamespaceDocument) => this.jobs.add(groupRemovals, { group_id: _id }, { id: `group ${_id}` });
    await eachAlone(tops, add, signal);
  }
}
