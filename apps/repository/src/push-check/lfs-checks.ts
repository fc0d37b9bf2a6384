import { lfsLocksOfOthers, missingLfsObjects } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import type { IncomingFile } from '../git/read/incoming';
import { pointerOf } from '../lfs/lfs-pointer';
import { Repositories } from '../record/repository.repository';
import { PushRefused } from './push-refused';

/** Number of paths or objects in one call. */
const atOnce = 1_000;

/** Checks files against the objects and locks of Git LFS. See docs/api/lfs.md#6. */
@Injectable()
export class LfsChecks {
  constructor(
    private readonly client: OperationClient,
    private readonly repositories: Repositories,
  ) {}

  /**
   * Whether other users have locked files; skipped for a project that never had a lock. @param userId undefined for a
   * caller without locks
   */
  async areLocked(projectId: number, userId: number | undefined): Promise<boolean> {
    if (!(await this.repositories.mayHaveLfsLocks(projectId))) return false;
    const input = { project_id: projectId, ...(userId !== undefined && { user_id: userId }) };
    return (await this.client.call(lfsLocksOfOthers, input)).length > 0;
  }

  /** @throws PushRefused for a path that another user has locked */
  async requireFree(projectId: number, userId: number | undefined, files: readonly IncomingFile[]): Promise<void> {
    for (const paths of inParts([...new Set(files.map(({ path }) => path))])) {
      const input = { project_id: projectId, ...(userId !== undefined && { user_id: userId }), paths };
      const [lock] = await this.client.call(lfsLocksOfOthers, input);
      if (lock) throw new PushRefused(`'${lock.path}' is locked in git-lfs by @${lock.username}`);
    }
  }

  /**
   * @param contents of files, some of which are pointers
   * @throws PushRefused if the object of a pointer is missing
   */
  async requireObjects(projectId: number, contents: readonly Buffer[]): Promise<void> {
    const oids = new Set(contents.map((content) => pointerOf(content)?.oid).filter((oid) => oid !== undefined));
    for (const some of inParts([...oids])) {
      const missing = await this.client.call(missingLfsObjects, { project_id: projectId, oids: some });
      if (missing.length > 0)
        throw new PushRefused(
          'LFS objects are missing. Ensure LFS is properly set up or try a manual "git lfs push --all".',
        );
    }
  }
}

function inParts<T>(all: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(all.length / atOnce) }, (_, part) =>
    all.slice(part * atOnce, (part + 1) * atOnce),
  );
}
