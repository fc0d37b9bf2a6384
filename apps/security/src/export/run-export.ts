import { randomUUID } from 'node:crypto';
import { eachAlone, PeriodicJob } from '@moothall/background';
import { groupRefs, present } from '@moothall/contracts';
import { Outbox } from '@moothall/database';
import { type JobHandler, type JobQueue, Jobs, jobQueue, WorksOn } from '@moothall/jobs';
import { OperationClient } from '@moothall/messaging';
import { ObjectStorage } from '@moothall/object-storage';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import { Dashboards } from '../dashboard/dashboard.repository';
import { ScannedProjects } from '../project/scanned-projects';
import type { SecuritySettings } from '../settings/settings';
import type { ProjectNames } from './csv/csv-row';
import { PartWriter } from './csv/part-writer';
import { folderOf, VulnerabilityExports } from './vulnerability-export.repository';
import { mostParts, mostProjects, type VulnerabilityExport } from './vulnerability-export.schema';

interface Export {
  exportId: number;
  userId: number;
}

export const exportJobs: JobQueue<Export> = jobQueue({
  name: 'security.exports',
  concurrency: 2,
  sharedBy: ({ userId }) => `user ${userId}`,
});

const idsPerCall = 1_000;

/** Writes exports in parts. After a kill at any line, it continues with the current part. */
@Injectable()
export class RunExport {
  constructor(
    private readonly exports: VulnerabilityExports,
    private readonly projects: ScannedProjects,
    private readonly dashboards: Dashboards,
    private readonly parts: PartWriter,
    private readonly storage: ObjectStorage,
    private readonly client: OperationClient,
    private readonly jobs: Jobs,
    private readonly outbox: Outbox,
    @Inject(settingsToken) private readonly settings: SecuritySettings,
  ) {}

  /** Queues a stored export; if Redis is down, the periodic job queues it. */
  queue(wanted: VulnerabilityExport): Promise<void> {
    return this.outbox.promptly(this.add(wanted));
  }

  private add({ _id, author }: VulnerabilityExport): Promise<void> {
    return this.jobs.add(exportJobs, { exportId: _id, userId: author.id }, { id: `export-${_id}` });
  }

  @WorksOn(exportJobs)
  async run({ exportId }: Export, job: Parameters<JobHandler<Export>>[1]): Promise<void> {
    try {
      await this.write(exportId, job);
    } catch (error) {
      if (job.attemptsMade + 1 >= (job.opts.attempts ?? 1)) await this.exports.fail(exportId);
      throw error;
    }
  }

  private async write(exportId: number, job: Parameters<JobHandler<Export>>[1]): Promise<void> {
    const wanted = await this.exports.find(exportId);
    const projectIds = wanted && (wanted.projectIds ?? (await this.projectsOf(wanted)));
    if (!projectIds) return;
    if (projectIds.length > mostProjects) return this.exports.fail(exportId);
    let names: ReadonlyMap<number, ProjectNames> | undefined;
    for (;;) {
      const running = await this.exports.begin(exportId, projectIds);
      if (!running) return;
      if (running.parts.length >= mostParts) return this.exports.fail(exportId);
      names ??= await this.namesOf(present(running.projectIds, 'the projects of an export'), running);
      const key = `${folderOf(exportId)}/${running.parts.length}-${randomUUID()}.csv`;
      const part = { key, projects: names, after: running.position, rows: this.settings.EXPORT_PART_ROWS };
      const { sizeBytes, position } = await this.parts.write(part, `user ${running.author.id}`);
      // Another process continues it, or it has expired.
      if (!(await this.exports.addPart(running, { key, sizeBytes }, position))) return this.storage.remove(key);
      await job.updateProgress(running.parts.length + 1);
    }
  }

  private async projectsOf({ projectId, groupId, author }: VulnerabilityExport): Promise<number[]> {
    if (projectId !== null) return [projectId];
    if (groupId !== null) return this.projects.openBelow(groupId, author);
    return this.dashboards.projectIds(author.id);
  }

  /** Names of projects that the author may see now, in the order of their numbers. */
  private async namesOf(projectIds: number[], { author }: VulnerabilityExport): Promise<Map<number, ProjectNames>> {
    const projects = await this.projects.openAmong(projectIds, author);
    const groupIds = [...new Set(projects.flatMap((project) => project.groupIds.slice(0, 1)))];
    const groupNames = new Map<number, string>();
    for (let from = 0; from < groupIds.length; from += idsPerCall) {
      const ids = groupIds.slice(from, from + idsPerCall);
      for (const { id, name } of await this.client.call(groupRefs, { ids, user_id: null })) groupNames.set(id, name);
    }
    return new Map(
      projects.map(({ id, name, groupIds: [groupId = 0] }) => [
        id,
        { groupName: groupNames.get(groupId) ?? '', projectName: name },
      ]),
    );
  }

  /** Redis may have lost the jobs; the records show which exports are unfinished. */
  @PeriodicJob('vulnerability exports', { everySeconds: 10 })
  async queueUnfinished(signal?: AbortSignal): Promise<void> {
    await eachAlone(this.exports.unfinished(), (wanted) => this.add(wanted), signal);
  }

  @PeriodicJob('old vulnerability exports', { everySeconds: 30 })
  async expire(): Promise<void> {
    await this.exports.expire(Date.now());
  }
}
