import {
  type ContextOf,
  deleteMergeRequest,
  type EventData,
  type EventRecord,
  mergeRequestChanged,
  type ParsedOf,
  projectDeleted,
} from '@moothall/contracts';
import { Outbox } from '@moothall/database';
import { Handles, OnEvent } from '@moothall/messaging';
import { Controller, Injectable } from '@nestjs/common';
import { RemoveActivity } from '../../activity/remove-activity';
import { requireWritable } from '../../parent/require-writable';
import { MergeRequests } from '../record/merge-request.repository';
import type { MergeRequestDocument } from '../record/merge-request.schema';
import { MergeRequestKind } from '../record/merge-request-kind';
import { MergeRequestVersions } from '../record/merge-request-versions';

const idsPerStep = 1000;

/** Removes merge requests and their related records. */
@Injectable()
export class RemoveMergeRequests {
  constructor(
    private readonly kind: MergeRequestKind,
    private readonly activity: RemoveActivity,
    private readonly versions: MergeRequestVersions,
    private readonly outbox: Outbox,
  ) {}

  async remove(mergeRequest: MergeRequestDocument, userId: number): Promise<void> {
    await this.outbox.remove(this.kind.model, mergeRequest._id, this.kind.eventOf('delete', mergeRequest, userId));
    await this.outbox.promptly(this.removeAttached([mergeRequest._id]));
  }

  /** Repeats the removal after an interruption. */
  @OnEvent(mergeRequestChanged, 'RemoveMergeRequests-onChanged')
  async onChanged({ data }: EventRecord<EventData<typeof mergeRequestChanged>>): Promise<void> {
    if (data.action === 'delete') await this.removeAttached([data.merge_request.id]);
  }

  private async removeAttached(ids: number[]): Promise<void> {
    await this.activity.removeFrom('MergeRequest', ids);
    await this.versions.removeFrom(ids);
  }

  /** Merge requests into the project are removed; merge requests from it remain without a source. */
  @OnEvent(projectDeleted, 'RemoveMergeRequests-ofProject')
  async removeOfProject({ data }: EventRecord<EventData<typeof projectDeleted>>): Promise<void> {
    await this.removeAllOf(data.project_id);
    await this.kind.model.updateMany(
      { sourceProjectId: data.project_id },
      { $set: { sourceProjectId: null, mergeStatus: 'cannot_be_merged', hasConflicts: false }, $inc: { revision: 1 } },
    );
  }

  /** Repeats the removal, if a write came later than the deletion of the project. */
  async removeAllOf(projectId: number): Promise<void> {
    const { model } = this.kind;
    for (;;) {
      const found = await model.find({ projectId }, { _id: 1 }).limit(idsPerStep).lean<{ _id: number }[]>();
      if (found.length === 0) break;
      const ids = found.map(({ _id }) => _id);
      // Related records first, so that a repeat after an interruption still finds them.
      await this.removeAttached(ids);
      await model.deleteMany({ _id: { $in: ids } });
    }
  }
}

@Controller()
export class DeleteMergeRequest {
  constructor(
    private readonly mergeRequests: MergeRequests,
    private readonly removal: RemoveMergeRequests,
  ) {}

  @Handles(deleteMergeRequest)
  async handle({ project, caller }: ContextOf<typeof deleteMergeRequest>, input: ParsedOf<typeof deleteMergeRequest>) {
    requireWritable(project);
    await this.removal.remove(await this.mergeRequests.get(project, input.merge_request_iid), caller.id);
  }
}
