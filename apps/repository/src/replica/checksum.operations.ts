import { type ContextOf, listChecksums, type ParsedOf, projectsWithWiki } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller, Logger } from '@nestjs/common';
import { GitError } from '../git/process/errors';
import { Repositories } from '../record/repository.repository';
import { Storages } from '../storage/storages';

/** Checksums that a secondary site compares with its replicas. See docs/api/geo-replication.md#2. */
@Controller()
export class ChecksumOperations {
  private readonly log = new Logger(ChecksumOperations.name);

  constructor(
    private readonly repositories: Repositories,
    private readonly storages: Storages,
  ) {}

  @Handles(listChecksums)
  async list({ project }: ContextOf<typeof listChecksums>, { project_ids, kind }: ParsedOf<typeof listChecksums>) {
    const found: { project_id: number; checksum: string | null }[] = [];
    for (const id of new Set(project_ids)) {
      const { engine, path } = this.storages.locate({ id, storage: project.storage }, kind);
      const checksum = await engine.replicas.checksum(path).catch((error: unknown) => {
        if (!(error instanceof GitError && error.reason === 'repository_not_found')) this.log.warn(`${path}: ${error}`);
        return null;
      });
      found.push({ project_id: id, checksum });
    }
    const ids = (isKnown: boolean) =>
      found.filter(({ checksum }) => (checksum !== null) === isKnown).map(({ project_id }) => project_id);
    await this.repositories.noteChecksums(ids(true), kind, 'known');
    await this.repositories.noteChecksums(ids(false), kind, 'failed');
    return found;
  }

  @Handles(projectsWithWiki)
  withWiki(_: ContextOf<typeof projectsWithWiki>, { project_ids }: ParsedOf<typeof projectsWithWiki>) {
    return this.repositories.withWiki(project_ids);
  }
}
