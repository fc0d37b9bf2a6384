import { eachAlone, PeriodicJob } from '@moothall/background';
import { type JobQueue, Jobs, jobQueue, WorksOn } from '@moothall/jobs';
import { ObjectStorage } from '@moothall/object-storage';
import { Injectable } from '@nestjs/common';
import type { Job } from 'bullmq';
import { ArchiveDraft } from '../../archive/archive-draft';
import { exportFilename } from '../../archive/archive-exports';
import { Mails } from '../../mail/mails';
import { Namespaces } from '../../namespace/namespace.repository';
import type { NamespaceDocument } from '../../namespace/namespace.schema';
import { formatVersion, pathsOf } from '../format/archive-format';
import type { GroupExportDocument } from './group-export.schema';
import { GroupExports } from './group-exports';
import { WriteGroupTree } from './write-group-tree';

export const groupExportJobs: JobQueue<{ export_id: number; user_id: number }> = jobQueue({
  name: 'projects.group-exports',
  sharedBy: ({ user_id }) => `user ${user_id}`,
});
export const jobIdOf = (exportId: number): string => `export ${exportId}`;

/**
 * Builds the archive of an export and stores it. Idempotent: a run first removes the files of a crashed one, and the
 * archive is stored atomically.
 */
@Injectable()
export class BuildGroupExport {
  constructor(
    private readonly exports: GroupExports,
    private readonly namespaces: Namespaces,
    private readonly tree: WriteGroupTree,
    private readonly storage: ObjectStorage,
    private readonly mails: Mails,
    private readonly jobs: Jobs,
  ) {}

  @WorksOn(groupExportJobs)
  async run({ export_id }: { export_id: number }, job?: Job): Promise<void> {
    const wanted = await this.exports.find(export_id);
    if (!wanted || wanted.status === 'failed') return;
    const group = await this.namespaces.find(wanted.groupId);
    // Exports are deleted with their group.
    if (!group) return;
    try {
      if (wanted.status !== 'finished') await this.build(wanted, group, job);
    } catch (error) {
      if (job && job.attemptsMade + 1 >= (job.opts.attempts ?? 1)) await this.giveUp(wanted, error);
      throw error;
    }
    if (!wanted.isTold) await this.tell(wanted, group);
  }

  private async tell(wanted: GroupExportDocument, group: NamespaceDocument): Promise<void> {
    await this.exports.supersede(wanted);
    await this.mails.toUsers([wanted.userId], `export ${wanted._id}`, {
      subject: `The export of the group ${group.fullName} is ready`,
      text: `The export of ${group.fullPath} can be downloaded for a day.\n`,
      about: { kind: 'group', fullPath: group.fullPath },
    });
    await this.exports.set(wanted._id, { isTold: true });
  }

  private async build(wanted: GroupExportDocument, group: NamespaceDocument, job?: Job): Promise<void> {
    await this.exports.inFolder(wanted, async (folder) => {
      const draft = new ArchiveDraft(folder);
      const count = await this.tree.write(group, draft, async (groupsDone, groupsTotal) => {
        await this.exports.set(wanted._id, { groupsDone, groupsTotal });
        await job?.updateProgress(groupsDone);
      });
      const about = { format: 'moothall group export', version: formatVersion, groups: count };
      await this.storage.write(this.exports.archiveKey(wanted._id), await draft.pack(about, pathsOf(count)));
      const done = { status: 'finished', filename: exportFilename(group.fullPath), finishedAt: new Date() } as const;
      if (!(await this.exports.set(wanted._id, done))) await this.exports.removeFiles(wanted);
    });
  }

  private async giveUp(wanted: GroupExportDocument, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error);
    await this.exports.set(wanted._id, { status: 'failed', error: reason });
  }

  @PeriodicJob('old group exports', { everySeconds: 600 })
  async expire(): Promise<void> {
    await this.exports.removeExpired();
  }

  /** Redis may have lost the jobs; the records show which exports are unfinished. */
  @PeriodicJob('group exports', { everySeconds: 30 })
  async queueUnfinished(signal?: AbortSignal): Promise<void> {
    const add = ({ _id, userId }: GroupExportDocument) =>
      this.jobs.add(groupExportJobs, { export_id: _id, user_id: userId }, { id: jobIdOf(_id) });
    await eachAlone(await this.exports.unfinished(), add, signal);
  }
}
