import { eachAlone, PeriodicJob } from '@moothall/background';
import { importFinished, repositoryErrors, wordsOf } from '@moothall/contracts';
import { newEvent } from '@moothall/database';
import { JobQueue, Jobs, jobQueue, WorksOn } from '@moothall/jobs';
import { EventPublisher } from '@moothall/messaging';
import { SecretBox } from '@moothall/secrets';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import { GitError } from '../git/process/errors';
import { parseRemote } from '../git/transport/remote-address';
import { GitOutbound } from '../outbound/git-outbound';
import { Repositories } from '../record/repository.repository';
import type { WantedImport } from '../record/repository.schema';
import { stateOf } from '../record/repository-state';
import type { RepositorySettings } from '../settings/settings';
import { Storages } from '../storage/storages';
import { ImportLfsObjects } from './import-lfs-objects';

interface Import extends WantedImport {
  projectId: number;
  storage: string;
}

export const imports: JobQueue<Import> = jobQueue<Import>({
  name: 'repository.import',
  concurrency: 2,
  attempts: 3,
  perStorage: true,
  sharedBy: ({ who }) => who,
});

/** Imports the repository of a new project from a URL, in the background. The record stores the pending import. */
@Injectable()
export class RepositoryImports {
  constructor(
    private readonly jobs: Jobs,
    private readonly storages: Storages,
    private readonly repositories: Repositories,
    private readonly outbound: GitOutbound,
    private readonly lfsObjects: ImportLfsObjects,
    private readonly publisher: EventPublisher,
    private readonly box: SecretBox,
    @Inject(settingsToken) private readonly settings: RepositorySettings,
  ) {}

  /** @throws repository.import_url_blocked */
  async begin({ url, projectId, storage, who }: Omit<Import, 'sealedUrl'> & { url: string }): Promise<void> {
    await this.requirePermitted(url);
    const wanted = { sealedUrl: this.box.seal(url), who };
    await this.repositories.wantImport(projectId, wanted);
    await this.queue({ projectId, storage, ...wanted });
  }

  /** Imports whose jobs Redis lost. */
  @PeriodicJob('imports', { everySeconds: 60, byEach: true })
  async queueWanted(signal?: AbortSignal): Promise<void> {
    await eachAlone(
      await this.repositories.importsOn(this.storages.names),
      ({ _id, storage, import: wanted }) => this.queue({ projectId: _id, storage, ...wanted }),
      signal,
    );
  }

  private queue(wanted: Import): Promise<void> {
    const { projectId, storage } = wanted;
    return this.jobs.add(imports, wanted, { id: `import-${projectId}`, storage });
  }

  private async requirePermitted(text: string): Promise<void> {
    const isPermitted = await Promise.resolve()
      .then(() => this.outbound.isPermitted(parseRemote(text)))
      .catch((error: unknown) => {
        if (error instanceof GitError) return false;
        throw error;
      });
    if (!isPermitted) throw repositoryErrors.importUrlBlocked();
  }

  @WorksOn(imports)
  async run({ projectId, storage, sealedUrl }: Import): Promise<void> {
    const located = this.storages.locate({ id: projectId, storage });
    // A key rotation re-encrypts only the stored copy, not the one in the job.
    const kept = (await this.repositories.find(projectId))?.import?.sealedUrl ?? sealedUrl;
    const url = this.box.open(kept);
    const timeoutMs = this.settings.IMPORT_TIMEOUT * 1000;
    const until = Date.now() + timeoutMs;
    const error = await located.engine.imports.import(projectId, { url, timeoutMs }).then(() => null, reasonOf);
    // After a failed import the repository is empty, and its owner may push into it.
    if (error !== null && !(await located.engine.storage.exists(located.path)))
      await located.engine.storage.create(projectId);
    const missing = error === null ? await this.lfsObjects.bring(located, projectId, new URL(url), until) : null;
    await this.publisher.publish(
      newEvent(importFinished, {
        project_id: projectId,
        error,
        ...(missing !== null && { missing_objects: missing }),
        ...(await stateOf(located)),
      }),
    );
    await this.repositories.endImport(projectId);
  }
}

/** An earlier run of the job may have placed it already. */
function reasonOf(error: unknown): string | null {
  if (!(error instanceof GitError)) throw error;
  return error.reason === 'repository_exists' ? null : wordsOf(error);
}
