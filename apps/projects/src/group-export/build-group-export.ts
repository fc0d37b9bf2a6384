import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type JobQueue, Jobs, jobQueue, WorksOn } from '@moothall/jobs';
import { ObjectStorage } from '@moothall/object-storage';
import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type { Job } from 'bullmq';
import { ArchiveDraft } from '../group-archive/write-archive';
import { Mails } from '../mail/mails';
import { Namespaces } from '../namespace/namespace.repository';
import type { NamespaceDocument } from '../namespace/namespace.schema';
import type { GroupExportDocument } from './group-export.schema';
import { GroupExports } from './group-exports';
import { WriteGroupTree } from './write-group-tree';

/**
 * Builds the archive of an export and stores it. Safe to run twice: what a killed run has left is in a folder that
 * the next one does not look at, and an archive is stored whole or not at all.
 */
export const groupExportJobs: JobQueue<{ export_id: number }> = jobQueue({ name: 'projects.group-exports' });
export const jobIdOf = (exportId: number): string => `export ${exportId}`;

const keptForMs = 24 * 60 * 60 * 1000;
const expiry: JobQueue<Record<string, never>> = jobQueue({ name: 'projects.group-export-expiry' });
const expiryEverySeconds = 600;

@Injectable()
export class BuildGroupExport implements OnApplicationBootstrap {
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
    const wanted = await this.exports.model.findById(export_id).lean<GroupExportDocument>();
    if (!wanted || wanted.status === 'finished' || wanted.status === 'failed') return;
    const group = await this.namespaces.find(wanted.groupId);
    if (!group) return;
    try {
      await this.build(wanted, group);
    } catch (error) {
      if (job && job.attemptsMade + 1 >= (job.opts.attempts ?? 1)) await this.giveUp(wanted, error);
      throw error;
    }
    await this.exports.supersede(wanted);
    await this.mails.toUsers([wanted.userId], `export ${export_id}`, {
      subject: `The export of the group ${group.fullName} is ready`,
      text: `The export of ${group.fullPath} can be downloaded for a day.\n`,
    });
  }

  private async build(wanted: GroupExportDocument, group: NamespaceDocument): Promise<void> {
    const folder = await mkdtemp(path.join(tmpdir(), 'moothall-export-'));
    try {
      await this.exports.set(wanted._id, { status: 'started' });
      const draft = new ArchiveDraft(folder);
      const count = await this.tree.write(group, draft, (groupsDone, groupsTotal) =>
        this.exports.set(wanted._id, { groupsDone, groupsTotal }),
      );
      const key = `group-exports/${wanted._id}.tar.gz`;
      await this.storage.write(key, await draft.pack(count));
      const filename = `${stamp(new Date())}_${group.fullPath.replaceAll('/', '_')}_export.tar.gz`;
      await this.exports.set(wanted._id, { status: 'finished', key, filename, finishedAt: new Date() });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  private async giveUp(wanted: GroupExportDocument, error: unknown): Promise<void> {
    const reason = error instanceof Error ? error.message : String(error);
    await this.exports.set(wanted._id, { status: 'failed', error: reason });
  }

  @WorksOn(expiry)
  async expire(): Promise<void> {
    await this.exports.removeFinishedBefore(new Date(Date.now() - keptForMs));
  }

  /** Redis may have lost the jobs; the records say what is left to do. */
  async onApplicationBootstrap(): Promise<void> {
    await this.jobs.every(expiry, expiryEverySeconds, {});
    for (const { _id } of await this.exports.unfinished()) {
      await this.jobs.add(groupExportJobs, { export_id: _id }, { id: jobIdOf(_id) });
    }
  }
}

/** `2026-11-21_02-30-12`, as the names of exports begin. */
const stamp = (time: Date): string => time.toISOString().slice(0, 19).replace('T', '_').replaceAll(':', '-');
