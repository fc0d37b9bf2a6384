import {
  type ContextOf,
  downloadGroupExport,
  exportGroup,
  getGroupExport,
  groupExportErrors,
  type ParsedOf,
} from '@moothall/contracts';
import { DataPort } from '@moothall/data-port';
import { Outbox } from '@moothall/database';
import { Jobs } from '@moothall/jobs';
import { Handles } from '@moothall/messaging';
import { ObjectStorage, sendObject } from '@moothall/object-storage';
import { Controller } from '@nestjs/common';
import { groupExportJobs, jobIdOf } from './build-group-export';
import { GroupExports } from './group-exports';

interface Archive {
  key: string;
  filename: string;
}

/** Starts exports, returns their state, and serves their files. */
@Controller()
export class ExportGroup {
  constructor(
    private readonly exports: GroupExports,
    private readonly jobs: Jobs,
    private readonly outbox: Outbox,
    private readonly dataPort: DataPort,
    storage: ObjectStorage,
  ) {
    dataPort.serve<Archive>('group-export', (archive, request, response) =>
      sendObject(storage, { ...archive, contentType: 'application/octet-stream', isInline: false }, request, response),
    );
  }

  @Handles(exportGroup)
  async start({ group, caller }: ContextOf<typeof exportGroup>, _: ParsedOf<typeof exportGroup>) {
    const { _id } = await this.exports.add(group.id, caller.id);
    const job = { export_id: _id, user_id: caller.id };
    await this.outbox.promptly(this.jobs.add(groupExportJobs, job, { id: jobIdOf(_id) }));
    return { message: '202 Accepted' };
  }

  @Handles(getGroupExport)
  async get({ group }: ContextOf<typeof getGroupExport>, _: ParsedOf<typeof getGroupExport>) {
    const latest = await this.exports.latest(group.id);
    return {
      export_status: latest?.status ?? ('none' as const),
      groups_done: latest?.groupsDone ?? 0,
      groups_total: latest?.groupsTotal ?? 0,
      error: latest?.error ?? null,
    };
  }

  @Handles(downloadGroupExport)
  async download({ group }: ContextOf<typeof downloadGroupExport>, _: ParsedOf<typeof downloadGroupExport>) {
    const finished = await this.exports.latest(group.id, 'finished');
    if (!finished?.filename) throw groupExportErrors.notAvailable();
    return this.dataPort.presign('group-export', {
      key: this.exports.archiveKey(finished._id),
      filename: finished.filename,
    });
  }
}
