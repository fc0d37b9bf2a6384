import { eachAlone, PeriodicJob } from '@moothall/background';
import { isPassing, numberedKinds, OperationError, reserveRecordIds } from '@moothall/contracts';
import { type JobQueue, Jobs, jobQueue, UnrecoverableError, WorksOn } from '@moothall/jobs';
import { OperationClient } from '@moothall/messaging';
import { ObjectStorage } from '@moothall/object-storage';
import { SecretBox } from '@moothall/secrets';
import { Injectable } from '@nestjs/common';
import type { Job } from 'bullmq';
import { RemoteArchives } from '../../archive/remote-archives';
import { Badges } from '../../badge/badge.repository';
import { Mails } from '../../mail/mails';
import { Members } from '../../member/member.repository';
import { projectKey } from '../../member/source';
import { Routes } from '../../namespace/routes';
import { KnownRepository } from '../../project/known-repository';
import { OpenIssues } from '../../project/open-issues';
import { Projects } from '../../project/project.repository';
import type { ProjectDocument } from '../../project/project.schema';
import { RemoveProject } from '../../project/remove-project';
import { RenameProject } from '../../project/rename-project';
import { StoredUploads } from '../../upload/operations/stored-uploads';
import { ProjectArchiveChecks } from '../format/archive-checks';
import type { ArchiveFacts } from '../format/check-in-thread';
import { readArchive } from '../format/read-archive';
import { FillProject } from './fill-project';
import type { FirstIds, ProjectImportDocument } from './project-import.schema';
import { archiveKeyOf, ProjectImports } from './project-imports';

/**
 * Imports the content of an archive into a project. Idempotent: existing records stay, and are recognised by number,
 * name or id. If the import fails permanently, the project shows the reason; a project that should replace another one
 * is deleted, and its user gets a mail.
 */
export const projectImportJobs: JobQueue<{ project_id: number; user_id: number }> = jobQueue({
  name: 'projects.project-imports',
  sharedBy: ({ user_id }) => `user ${user_id}`,
});
export const jobIdOf = (projectId: number): string => `import ${projectId}`;

/** Upper bound of a preparation. */
const preparedWithinMs = 15 * 60_000;

@Injectable()
export class RunProjectImport {
  constructor(
    private readonly imports: ProjectImports,
    private readonly projects: Projects,
    private readonly checks: ProjectArchiveChecks,
    private readonly filling: FillProject,
    private readonly repository: KnownRepository,
    private readonly openIssues: OpenIssues,
    private readonly members: Members,
    private readonly badges: Badges,
    private readonly uploads: StoredUploads,
    private readonly removal: RemoveProject,
    private readonly renaming: RenameProject,
    private readonly routes: Routes,
    private readonly storage: ObjectStorage,
    private readonly mails: Mails,
    private readonly remote: RemoteArchives,
    private readonly secrets: SecretBox,
    private readonly client: OperationClient,
    private readonly jobs: Jobs,
  ) {}

  @WorksOn(projectImportJobs)
  async run({ project_id }: { project_id: number }, job?: Job): Promise<void> {
    const wanted = await this.imports.find(project_id);
    if (!wanted || wanted.status === 'finished' || wanted.status === 'failed') return;
    // An earlier run may have crashed while it ended the import.
    if (wanted.error !== null) {
      await this.giveUp(wanted, wanted.error);
      return;
    }
    try {
      if (!wanted.isFilled) await this.fill(wanted);
    } catch (error) {
      const isLastTry = !job || job.attemptsMade + 1 >= (job.opts.attempts ?? 1);
      if (!isLastTry && (isPassing(error) || !(error instanceof OperationError))) throw error;
      const reason = reasonOf(error);
      await this.giveUp(wanted, reason);
      throw new UnrecoverableError(reason);
    }
    await this.end(wanted, null);
  }

  private async fill(wanted: ProjectImportDocument): Promise<void> {
    const { _id } = wanted;
    await this.projects.get(_id);
    await this.imports.set(_id, { status: 'started' });
    await this.projects.model.updateOne({ _id }, { $set: { importStatus: 'started' } });
    if (wanted.sealedUrl) await this.fetch(_id, wanted.sealedUrl);
    const checked = await this.storage.read(archiveKeyOf(_id));
    const { counts } = await this.checks.check(checked.stream, String(wanted.userId));
    const firstIds = wanted.firstIds ?? (await this.reserve(_id, counts));
    const { stream } = await this.storage.read(archiveKeyOf(_id));
    await readArchive(stream, this.checks.limits, this.filling.reader(wanted, firstIds));
    await this.repository.take(_id);
    await this.openIssues.count(_id);
    await this.takePlace(wanted);
    await this.imports.set(_id, { isFilled: true });
  }

  /** The old project is deleted only now, so that one of the two exists at any time. See docs/api/projects.md#10. */
  private async takePlace({ _id, userId, replaces }: ProjectImportDocument): Promise<void> {
    if (!replaces) return;
    const { projectId, path } = replaces;
    const project = await this.projects.get(_id);
    const old = await this.projects.model.findById(projectId).lean<ProjectDocument>();
    // A project that was moved elsewhere does not block the path.
    if (old && old.namespaceId === project.namespaceId && old.path.toLowerCase() === path.toLowerCase())
      await this.removal.one(old, userId);
    // A crash may have come between its deletion and the release of its paths.
    if (!old) await this.routes.release('project', projectId);
    await this.renaming.to(project, path, userId);
  }

  private async fetch(_id: number, sealedUrl: string): Promise<void> {
    await this.remote.fetch(this.secrets.open(sealedUrl), (bytes) => this.storage.write(archiveKeyOf(_id), bytes));
    await this.imports.set(_id, { sealedUrl: null });
  }

  private async reserve(_id: number, counts: ArchiveFacts['counts']): Promise<FirstIds> {
    const firstIds: FirstIds = {};
    for (const kind of numberedKinds) {
      const count = counts[kind];
      if (count > 0) firstIds[kind] = (await this.client.call(reserveRecordIds, { kind, count })).first_id;
    }
    await this.imports.set(_id, { firstIds });
    return firstIds;
  }

  /** The reason is stored first, in case of a crash. */
  private async giveUp(wanted: ProjectImportDocument, reason: string): Promise<void> {
    await this.imports.set(wanted._id, { error: reason });
    if (wanted.replaces) await this.undo(wanted, wanted.replaces, reason);
    await this.end(wanted, reason);
  }

  /** An incomplete replacement is deleted; but if the replaced project is already deleted, it stays. */
  private async undo(
    { _id, userId }: ProjectImportDocument,
    { projectId, path }: Replaced,
    reason: string,
  ): Promise<void> {
    const [project, old] = await Promise.all(
      [_id, projectId].map((id) => this.projects.model.findById(id).lean<ProjectDocument>()),
    );
    if (project?.path === path || !old) return;
    await this.mails.toUsers([userId], `project import ${_id}`, {
      subject: `The import of the project ${path} failed`,
      text: `The old project was not changed. Error of the import: ${reason}\n`,
      about: { kind: 'project', fullPath: old.fullPath },
    });
    if (project) await this.removal.one(project, userId);
    // A crash may have come between its deletion and the release of its paths.
    else await this.routes.release('project', _id);
  }

  private async end({ _id }: ProjectImportDocument, error: string | null): Promise<void> {
    const outcome = { importStatus: error === null ? ('finished' as const) : ('failed' as const), importError: error };
    const project = await this.projects.model.findOneAndUpdate({ _id }, { $set: outcome }).lean<ProjectDocument>();
    if (project) await this.imports.end(_id, error);
    else await this.forget(_id);
  }

  /** The project was deleted meanwhile: records written since are removed. */
  private async forget(projectId: number): Promise<void> {
    await this.members.forget(projectKey(projectId));
    await this.badges.forget(projectKey(projectId));
    await this.uploads.forget(projectId);
    await this.imports.forget(projectId);
  }

  /** Redis may have lost the jobs; the records show which imports are ready. */
  @PeriodicJob('project imports', { everySeconds: 15 })
  async queueReady(signal?: AbortSignal): Promise<void> {
    const add = ({ _id, userId }: ProjectImportDocument) =>
      this.jobs.add(projectImportJobs, { project_id: _id, user_id: userId }, { id: jobIdOf(_id) });
    await eachAlone(await this.imports.ready(), add, signal);
  }

  @PeriodicJob('abandoned project imports', { everySeconds: 60 })
  async adoptAbandoned(signal?: AbortSignal): Promise<void> {
    await eachAlone(await this.imports.abandoned(preparedWithinMs), ({ _id }) => this.adopt(_id), signal);
  }

  /** The process crashed between the project and the record of it, or before the project. */
  private async adopt(projectId: number): Promise<void> {
    if (await this.projects.model.exists({ _id: projectId })) await this.imports.set(projectId, { status: 'queued' });
    else await this.imports.forget(projectId);
  }
}

type Replaced = NonNullable<ProjectImportDocument['replaces']>;

/** The reason that the project shows. */
function reasonOf(error: unknown): string {
  if (!(error instanceof OperationError)) return error instanceof Error ? error.message : String(error);
  const { message } = error.value;
  return (typeof message === 'string' ? message : JSON.stringify(message)).slice(0, 1000);
}
