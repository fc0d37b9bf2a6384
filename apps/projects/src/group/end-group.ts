import { type EventRecord, groupDeleted } from '@moothall/contracts';
import { newEvent, Outbox } from '@moothall/database';
import { type JobQueue, Jobs, jobQueue } from '@moothall/jobs';
import { Injectable } from '@nestjs/common';
import { Namespaces } from '../namespace/namespace.repository';
import type { NamespaceDocument } from '../namespace/namespace.schema';
import { Routes } from '../namespace/routes';

/** Removes everything below a deleted group, then the group. Idempotent. */
export const groupRemovals: JobQueue<{ group_id: number }> = jobQueue({ name: 'projects.group-removals' });

type EndedGroup = Pick<NamespaceDocument, '_id' | 'fullPath' | 'name' | 'ancestorIds'>;

/**
 * The background job publishes it again, and for subgroups for the first time: consumers recognise a repeat by its id.
 */
export function endOf({ _id, fullPath, name, ancestorIds }: EndedGroup, actorId?: number): EventRecord {
  const what = { group_id: _id, full_path: fullPath, name, ancestor_ids: ancestorIds };
  const data = { ...what, ...(actorId !== undefined && { actor_id: actorId }) };
  return { ...newEvent(groupDeleted, data), id: `end of group ${_id}` };
}

/**
 * Deletes a group. It disappears at once, because it and all groups below are marked; a background job removes their
 * content.
 */
@Injectable()
export class EndGroup {
  constructor(
    private readonly namespaces: Namespaces,
    private readonly routes: Routes,
    private readonly outbox: Outbox,
    private readonly jobs: Jobs,
  ) {}

  async end(group: EndedGroup, actorId?: number): Promise<void> {
    const { _id } = group;
    const event = endOf(group, actorId);
    await this.outbox.update(this.namespaces.model, { _id, isDeleting: false }, { $set: { isDeleting: true } }, event);
    await this.outbox.promptly(this.follow(_id));
  }

  /** Steps that the background job repeats. */
  private async follow(id: number): Promise<void> {
    await this.namespaces.model.updateMany({ ancestorIds: id }, { $set: { isDeleting: true } });
    await this.routes.release('namespace', id);
    await this.jobs.add(groupRemovals, { group_id: id }, { id: `group ${id}` });
  }
}
