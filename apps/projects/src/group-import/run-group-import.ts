import { OperationError } from '@moothall/contracts';
import { type JobQueue, Jobs, jobQueue, UnrecoverableError, WorksOn } from '@moothall/jobs';
import { ObjectStorage } from '@moothall/object-storage';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Job } from 'bullmq';
import type { Model } from 'mongoose';
import { EndGroup } from '../group/end-group';
import { readArchive } from '../group-archive/read-archive';
import { Namespaces } from '../namespace/namespace.repository';
import type { NamespaceDocument } from '../namespace/namespace.schema';
import type { ProjectsSettings } from '../settings';
import { FillGroups } from './fill-groups';
import type { GroupImportDocument } from './group-import.schema';

/**
 * Fills an imported group out of its archive. Safe to run twice: it finds again what it has made, by the mark of the
 * import. When it cannot succeed the group is removed with everything below it.
 */
export const groupImportJobs: JobQueue<{ import_id: number }> = jobQueue({ name: 'projects.group-imports' });
export const jobIdOf = (importId: number): string => `import ${importId}`;

/** Neighbours that are away come back; whatever else they answer they will answer again. */
const passing = new Set(['common.unavailable', 'common.timeout', 'common.internal']);

@Injectable()
export class RunGroupImport implements OnApplicationBootstrap {
  constructor(
    @InjectModel('GroupImport') private readonly imports: Model<GroupImportDocument>,
    @Inject(settingsToken) private readonly settings: ProjectsSettings,
    private readonly namespaces: Namespaces,
    private readonly filling: FillGroups,
    private readonly groups: EndGroup,
    private readonly storage: ObjectStorage,
    private readonly jobs: Jobs,
  ) {}

  @WorksOn(groupImportJobs)
  async run({ import_id }: { import_id: number }, job?: Job): Promise<void> {
    const wanted = await this.imports.findById(import_id).lean<GroupImportDocument>();
    if (!wanted || wanted.status === 'finished' || wanted.status === 'failed') return;
    const top = wanted.groupId === null ? null : await this.namespaces.find(wanted.groupId);
    if (!top) {
      await this.end(wanted, 'the group was deleted');
      return;
    }
    try {
      await this.fill(wanted, top);
    } catch (error) {
      const isLastTry = !job || job.attemptsMade + 1 >= (job.opts.attempts ?? 1);
      if (!isLastTry && !(error instanceof OperationError && !passing.has(error.code))) throw error;
      await this.rollBack(wanted, top, error);
      throw new UnrecoverableError(error instanceof Error ? error.message : String(error));
    }
    await this.end(wanted, null);
  }

  private async fill(wanted: GroupImportDocument, top: NamespaceDocument): Promise<void> {
    await this.imports.updateOne({ _id: wanted._id }, { $set: { status: 'started', rowsDone: 0 } });
    const { stream } = await this.storage.read(wanted.key);
    const progress = async (rows: number) => {
      await this.imports.updateOne({ _id: wanted._id }, { $inc: { rowsDone: rows } });
    };
    const reader = this.filling.reader(wanted, top, progress);
    await readArchive(stream, { maxBytes: this.settings.GROUP_IMPORT_MAX_SIZE }, reader);
  }

  /** All or nothing: what the import has made goes, wherever it is. */
  private async rollBack(wanted: GroupImportDocument, top: NamespaceDocument, error: unknown): Promise<void> {
    await this.groups.end(top);
    await this.end(wanted, error instanceof Error ? error.message : String(error));
  }

  private async end({ _id, key }: GroupImportDocument, error: string | null): Promise<void> {
    const status = error === null ? 'finished' : 'failed';
    await this.imports.updateOne({ _id }, { $set: { status, error } });
    await this.storage.remove(key);
  }

  /** Redis may have lost the jobs; the records say what is left to do. */
  async onApplicationBootstrap(): Promise<void> {
    const unfinished = await this.imports
      .find({ status: { $in: ['preparing', 'queued', 'started'] } })
      .lean<GroupImportDocument[]>();
    for (const wanted of unfinished) {
      if (wanted.groupId === null && !(await this.adopt(wanted))) continue;
      await this.jobs.add(groupImportJobs, { import_id: wanted._id }, { id: jobIdOf(wanted._id) });
    }
  }

  /** A stop came between the group and the note of its id, or before the group. @returns whether there is a group */
  private async adopt(wanted: GroupImportDocument): Promise<boolean> {
    const group = await this.namespaces.model
      .findOne({ 'importedAs.importId': wanted._id, 'importedAs.number': 1 })
      .lean<NamespaceDocument>();
    if (group) {
      await this.imports.updateOne({ _id: wanted._id }, { $set: { groupId: group._id, status: 'queued' } });
      return true;
    }
    await this.end(wanted, 'the server was stopped before the group was made');
    return false;
  }
}
