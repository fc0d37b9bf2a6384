import { allAlone, eachAlone, PeriodicJob } from '@moothall/background';
import { isPassing, OperationError } from '@moothall/contracts';
import { type JobQueue, Jobs, jobQueue, UnrecoverableError, WorksOn } from '@moothall/jobs';
import { ObjectStorage } from '@moothall/object-storage';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import type { Job } from 'bullmq';
import { EndGroup } from '../../group/end-group';
import { Namespaces } from '../../namespace/namespace.repository';
import type { NamespaceDocument } from '../../namespace/namespace.schema';
import type { ProjectsSettings } from '../../settings/settings';
import { readArchive } from '../format/read-archive';
import { FillGroups } from './fill-groups';
import type { GroupImportDocument } from './group-import.schema';
import { archiveKeyOf, GroupImports } from './group-imports';

/**
 * Imports the content of an archive into a group. Idempotent: it recognises the groups of an earlier run by their
 * import id. If the import fails permanently, the group is removed with everything below it.
 */
export const groupImportJobs: JobQueue<{ import_id: number; user_id: number }> = jobQueue({
  name: 'projects.group-imports',
  sharedBy: ({ user_id }) => `user ${user_id}`,
});
export const jobIdOf = (importId: number): string => `import ${importId}`;

@Injectable()
export class RunGroupImport {
  constructor(
    private readonly imports: GroupImports,
    @Inject(settingsToken) private readonly settings: ProjectsSettings,
    private readonly namespaces: Namespaces,
    private readonly filling: FillGroups,
    private readonly groups: EndGroup,
    private readonly storage: ObjectStorage,
    private readonly jobs: Jobs,
  ) {}

  @WorksOn(groupImportJobs)
  async run({ import_id }: { import_id: number }, job?: Job): Promise<void> {
    const wanted = await this.imports.find(import_id);
    if (!wanted || wanted.groupId === null || wanted.status === 'finished' || wanted.status === 'failed') return;
    const top = await this.namespaces.find(wanted.groupId);
    // An earlier run may have crashed while it reverted the import.
    if (!top || wanted.error !== null) {
      await this.rollBack(wanted, wanted.error ?? 'the group was deleted');
      return;
    }
    try {
      if (!wanted.isFilled) await this.fill(wanted, top, job);
    } catch (error) {
      const isLastTry = !job || job.attemptsMade + 1 >= (job.opts.attempts ?? 1);
      if (!isLastTry && (isPassing(error) || !(error instanceof OperationError))) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      await this.rollBack((await this.imports.find(import_id)) ?? wanted, reason);
      throw new UnrecoverableError(reason);
    }
    await this.imports.end(wanted, null);
  }

  private async fill(wanted: GroupImportDocument, top: NamespaceDocument, job?: Job): Promise<void> {
    await this.imports.set(wanted._id, { status: 'started', rowsDone: 0 });
    const { stream } = await this.storage.read(archiveKeyOf(wanted._id));
    let rowsDone = 0;
    const progress = async (rows: number) => {
      rowsDone += rows;
      await job?.updateProgress(rowsDone);
      await this.imports.model.updateOne({ _id: wanted._id }, { $inc: { rowsDone: rows } });
    };
    const reader = this.filling.reader(wanted, top, progress);
    await readArchive(stream, { maxBytes: this.settings.GROUP_IMPORT_MAX_SIZE }, reader);
    await this.imports.set(wanted._id, { isFilled: true });
  }

  /**
   * All or nothing: the import's groups are removed, wherever they are now. The reason is stored first, in case of a
   * crash.
   */
  private async rollBack(wanted: GroupImportDocument, reason: string): Promise<void> {
    await this.imports.set(wanted._id, { error: reason });
    const top = await this.imports.made(wanted._id, 1);
    if (top) await this.groups.end(top);
    await this.imports.end(wanted, reason);
  }

  /** Redis may have lost the jobs; the records show which imports are ready. */
  @PeriodicJob('group imports', { everySeconds: 15 })
  async queueReady(signal?: AbortSignal): Promise<void> {
    const add = ({ _id, userId }: GroupImportDocument) =>
      this.jobs.add(groupImportJobs, { import_id: _id, user_id: userId }, { id: jobIdOf(_id) });
    await eachAlone(await this.imports.ready(), add, signal);
  }

  /** Concurrently, because an active lease is only recognised after some seconds. */
  @PeriodicJob('abandoned group imports', { everySeconds: 15 })
  async adoptAbandoned(): Promise<void> {
    await allAlone(await this.imports.findInPreparation(), (wanted) =>
      this.imports.ifAbandoned(wanted, () => this.adopt(wanted)),
    );
  }

  /** The process crashed between the group and the record of its id, or before the group. */
  private async adopt(wanted: GroupImportDocument): Promise<void> {
    const group = await this.imports.made(wanted._id, 1);
    if (group) await this.imports.queue(wanted._id, group._id);
    else await this.imports.end(wanted, 'the server was stopped before the group was made');
  }
}
