import { eachAlone, PeriodicJob } from '@moothall/background';
import { isPassing, OperationError } from '@moothall/contracts';
import { type JobQueue, Jobs, jobQueue, UnrecoverableError, WorksOn } from '@moothall/jobs';
import { ObjectStorage } from '@moothall/object-storage';
import { SecretBox } from '@moothall/secrets';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import type { Job } from 'bullmq';
import { ArchiveDraft, DraftTooLarge } from '../../archive/archive-draft';
import { exportFilename } from '../../archive/archive-exports';
import { RemoteArchives } from '../../archive/remote-archives';
import { Mails } from '../../mail/mails';
import { Projects } from '../../project/project.repository';
import type { ProjectDocument } from '../../project/project.schema';
import type { ProjectsSettings } from '../../settings/settings';
import { format, formatVersion, inOrder } from '../format/archive-format';
import type { ProjectExportDocument } from './project-export.schema';
import { ProjectExports } from './project-exports';
import { WriteProjectParts } from './write-project-parts';

export const projectExportJobs: JobQueue<{ export_id: number; user_id: number }> = jobQueue({
  name: 'projects.project-exports',
  sharedBy: ({ user_id }) => `user ${user_id}`,
});
export const jobIdOf = (exportId: number): string => `export ${exportId}`;

/**
 * Builds the archive of an export and stores it. Idempotent: a run first removes the files of a crashed one, and the
 * archive is stored atomically.
 */
@Injectable()
export class BuildProjectExport {
  constructor(
    private readonly exports: ProjectExports,
    private readonly projects: Projects,
    private readonly parts: WriteProjectParts,
    private readonly storage: ObjectStorage,
    private readonly mails: Mails,
    private readonly jobs: Jobs,
    private readonly remote: RemoteArchives,
    private readonly secrets: SecretBox,
    @Inject(settingsToken) private readonly settings: ProjectsSettings,
  ) {}

  @WorksOn(projectExportJobs)
  async run({ export_id }: { export_id: number }, job?: Job): Promise<void> {
    const wanted = await this.exports.find(export_id);
    if (!wanted || wanted.status === 'failed') return;
    const project = await this.projects.model.findById(wanted.projectId).lean<ProjectDocument>();
    if (!project) {
      await this.exports.forget(wanted.projectId);
      return;
    }
    try {
      if (wanted.status !== 'finished') await this.build(wanted, project);
    } catch (error) {
      const isLastTry = !job || job.attemptsMade + 1 >= (job.opts.attempts ?? 1);
      const isForGood = error instanceof DraftTooLarge || (error instanceof OperationError && !isPassing(error));
      if (!isLastTry && !isForGood) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      await this.exports.end(wanted._id, { status: 'failed', error: reason, isTold: true });
      throw new UnrecoverableError(reason);
    }
    if (!wanted.isTold) await this.tell(wanted, project);
  }

  private async tell(wanted: ProjectExportDocument, project: ProjectDocument): Promise<void> {
    await this.exports.supersede(wanted);
    await this.mails.toUsers([wanted.userId], `project export ${wanted._id}`, {
      subject: `The export of the project ${project.nameWithNamespace} is ready`,
      text: `The export of ${project.fullPath} can be downloaded for a day.\n`,
      about: { kind: 'project', fullPath: project.fullPath },
    });
    await this.exports.set(wanted._id, { isTold: true });
  }

  private async build(wanted: ProjectExportDocument, project: ProjectDocument): Promise<void> {
    await this.exports.inFolder(wanted, async (folder) => {
      const draft = new ArchiveDraft(folder, this.settings.PROJECT_ARCHIVE_MAX_SIZE);
      await this.parts.write(project, wanted.description, draft);
      const archive = await draft.pack({ format, version: formatVersion }, inOrder(draft.names));
      await this.storage.write(this.exports.archiveKey(wanted._id), archive);
      const filename = exportFilename(project.fullPath);
      const error = await this.send(wanted);
      const isThere = await this.exports.end(wanted._id, { status: 'finished', filename, error });
      if (!isThere) await this.exports.removeFiles(wanted);
    });
  }

  /** If sending fails, the archive can still be downloaded. @returns the reason of the failure */
  private async send({ _id, sealedUrl, uploadMethod: method }: ProjectExportDocument): Promise<string | null> {
    if (!sealedUrl) return null;
    const { stream, sizeBytes } = await this.storage.read(this.exports.archiveKey(_id));
    const sent = this.remote.send({ url: this.secrets.open(sealedUrl), method }, stream, sizeBytes);
    return sent.then(
      () => null,
      (error: Error) => error.message,
    );
  }

  @PeriodicJob('old project exports', { everySeconds: 600 })
  async expire(): Promise<void> {
    await this.exports.removeExpired();
  }

  /** Redis may have lost the jobs; the records show which exports are unfinished. */
  @PeriodicJob('project exports', { everySeconds: 30 })
  async queueUnfinished(signal?: AbortSignal): Promise<void> {
    const add = ({ _id, userId }: ProjectExportDocument) =>
      this.jobs.add(projectExportJobs, { export_id: _id, user_id: userId }, { id: jobIdOf(_id) });
    await eachAlone(await this.exports.unfinished(), add, signal);
  }
}
