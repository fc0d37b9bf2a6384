import {
  Access,
  type ContextOf,
  createLfsLock,
  deleteLfsLock,
  expectLfsLocks,
  forbidden,
  type LfsLock,
  lfsErrors,
  lfsLocksOfOthers,
  listLfsLocks,
  mostLfsLocksPerPage,
  type ParsedOf,
  type ProjectRef,
  present,
  verifyLfsLocks,
} from '@moothall/contracts';
import { Handles, OperationClient, removeIfDeleted } from '@moothall/messaging';
import { UserDirectory } from '@moothall/users';
import { Controller } from '@nestjs/common';
import { LfsLocks } from '../lfs-lock.repository';
import type { LfsLockDocument } from '../lfs-lock.schema';

/** Locks of Git LFS; the repository service checks pushes against them. See docs/api/lfs.md#5. */
@Controller()
export class LfsLockOperations {
  constructor(
    private readonly locks: LfsLocks,
    private readonly users: UserDirectory,
    private readonly client: OperationClient,
  ) {}

  @Handles(createLfsLock)
  async create({ project, caller }: ContextOf<typeof createLfsLock>, { path }: ParsedOf<typeof createLfsLock>) {
    if (project.isArchived || caller.id < 0) throw forbidden();
    // Before the lock, so that pushes are checked against every lock.
    await this.client.call(expectLfsLocks, { project_id: project.id });
    const { lock, isNew } = await this.locks.create({ projectId: project.id, path, ownerId: caller.id });
    if (isNew) await removeIfDeleted(this.client, project.id, () => this.locks.forgetProject(project.id));
    return { lock: await this.view(lock), is_new: isNew };
  }

  @Handles(listLfsLocks)
  async list({ project }: ContextOf<typeof listLfsLocks>, input: ParsedOf<typeof listLfsLocks>) {
    const { locks, next } = await this.locks.page(project.id, input);
    return { locks: await this.views(locks), ...(next !== undefined && { next_cursor: String(next) }) };
  }

  @Handles(verifyLfsLocks)
  async verify({ project, caller }: ContextOf<typeof verifyLfsLocks>, input: ParsedOf<typeof verifyLfsLocks>) {
    const { locks, next } = await this.locks.page(project.id, input);
    const isOurs = ({ ownerId }: LfsLockDocument) => ownerId === caller?.id;
    return {
      ours: await this.views(locks.filter(isOurs)),
      theirs: await this.views(locks.filter((lock) => !isOurs(lock))),
      ...(next !== undefined && { next_cursor: String(next) }),
    };
  }

  @Handles(lfsLocksOfOthers)
  async ofOthers(_: ContextOf<typeof lfsLocksOfOthers>, input: ParsedOf<typeof lfsLocksOfOthers>) {
    const { project_id, user_id: userId, paths } = input;
    const locks = await this.locks.ofOthers(project_id, { userId, paths, limit: mostLfsLocksPerPage });
    if (locks.length === 0) return [];
    const owners = await this.users.summaries(locks.map(({ ownerId }) => ownerId));
    return locks.map(({ path, ownerId }) => ({ path, username: owners.get(ownerId)?.username ?? 'ghost' }));
  }

  @Handles(deleteLfsLock)
  async remove({ project, caller }: ContextOf<typeof deleteLfsLock>, input: ParsedOf<typeof deleteLfsLock>) {
    const lock = await this.locks.get(project.id, input.lock_id);
    if (lock.ownerId !== caller.id) requireForce(project, input.force);
    await this.locks.remove(lock);
    return { lock: await this.view(lock) };
  }

  private async view(lock: LfsLockDocument): Promise<LfsLock> {
    return present((await this.views([lock]))[0], 'the view of a lock');
  }

  private async views(locks: readonly LfsLockDocument[]): Promise<LfsLock[]> {
    const owners = await this.users.summaries(locks.map(({ ownerId }) => ownerId));
    return locks.map(({ _id, path, lockedAt, ownerId }) => ({
      id: String(_id),
      path,
      locked_at: lockedAt.toISOString(),
      owner: { name: owners.get(ownerId)?.name ?? 'Ghost User' },
    }));
  }
}

/** @throws lfs.lock_of_another, lfs.force_refused */
function requireForce({ accessLevel }: ProjectRef, force: boolean): void {
  if (!force) throw lfsErrors.lockOfAnother();
  if (accessLevel < Access.Maintainer) throw lfsErrors.forceRefused();
}
