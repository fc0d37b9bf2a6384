import { eachAlone, PeriodicJob } from '@moothall/background';
import {
  discardCopy,
  holdWrites,
  isError,
  isPassing,
  type ProjectRef,
  projectErrors,
  resolveProject,
  setProjectStorage,
  storageMoveErrors,
} from '@moothall/contracts';
import { Jobs, jobQueue, WorksOn } from '@moothall/jobs';
import { OperationClient } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type { Job } from 'bullmq';
import { RepositoryCopies } from '../copies/bring-objects';
import { type RepositoryKind, repositoryKinds } from '../git/storage/storage';
import { linesOf, type RefSnapshot } from '../git/transport/copy';
import { RemoteMirrors } from '../mirror/remote-mirror.repository';
import { UnfinishedPushes } from '../push/unfinished-push.repository';
import { Repositories } from '../record/repository.repository';
import type { RepositorySettings } from '../settings/settings';
import { ensureWiki } from '../storage/ensure-wiki';
import { type RepositoryLocation, Storages } from '../storage/storages';
import { WriteGate } from '../storage/write-gate';
import { StorageMoves } from './storage-move.repository';
import type { StorageMove } from './storage-move.schema';

interface MoveJob {
  moveId: number;
}

/** Runs on the destination storage. Each step is idempotent. */
export const storageMoves = jobQueue<MoveJob>({ name: 'repository.storage-move', attempts: 5, perStorage: true });

/**
 * Moves repositories between storages:
 *
 *     scheduled    queued
 *     started      all objects and refs are copied while reads and writes continue; then writes are paused, newer changes
 *                  are copied, both sides are compared, and the project is switched over
 *     replicated   the project is on the new storage; the old copy is deleted when it is no longer read
 *     finished
 *
 * After a crash before the switch, it copies what is still missing; after a crash later, it deletes the old copy. Until
 * the switch the old copy is in use, so aborting loses nothing.
 */
@Injectable()
export class RepositoryMover implements OnApplicationBootstrap {
  private readonly log = new Logger(RepositoryMover.name);

  constructor(
    private readonly moves: StorageMoves,
    private readonly storages: Storages,
    private readonly copies: RepositoryCopies,
    private readonly repositories: Repositories,
    private readonly mirrors: RemoteMirrors,
    private readonly intents: UnfinishedPushes,
    private readonly client: OperationClient,
    private readonly jobs: Jobs,
    private readonly gate: WriteGate,
    @Inject(settingsToken) private readonly settings: RepositorySettings,
  ) {}

  /** Queues moves that Redis lost, and moves that were aborted while this process was down. */
  async onApplicationBootstrap(): Promise<void> {
    await this.moves.publishStorages(this.storages.names);
    // The job of a killed process counts as running until it times out. Moves to a storage run one by one, so a second
    // job for the same move is harmless, and the project is not locked longer than necessary.
    for (const move of await this.moves.listUnderWay(this.storages.names)) await this.add(move, `-${Date.now()}`);
  }

  @PeriodicJob('storage moves', { everySeconds: 60, byEach: true })
  async queueUnderWay(signal?: AbortSignal): Promise<void> {
    await eachAlone(await this.moves.listUnderWay(this.storages.names), (move) => this.enqueue(move), signal);
  }

  /** A stored move is always executed: if Redis is down, the periodic job finds it. */
  async begin(move: StorageMove): Promise<void> {
    await this.enqueue(move).catch((error: unknown) =>
      this.log.warn(`storage move ${move._id} is not queued yet: ${error}`),
    );
  }

  private enqueue(move: StorageMove): Promise<void> {
    return this.add(move, '');
  }

  private add({ _id, destination, state }: StorageMove, turn: string): Promise<void> {
    // Clones and requests that use the old location finish first.
    const delaySeconds = state === 'replicated' ? this.settings.STORAGE_MOVE_GRACE : 0;
    return this.jobs.add(
      storageMoves,
      { moveId: _id },
      { id: `move-${_id}${turn}`, storage: destination, delaySeconds },
    );
  }

  @WorksOn(storageMoves)
  async run({ moveId }: MoveJob, { attemptsMade, opts: { attempts = 1 } }: Job<MoveJob>): Promise<void> {
    const move = await this.moves.find(moveId);
    if (move?.movingProjectId === undefined) return;
    if (move.state === 'replicated') return this.discard(move, attemptsMade + 1 >= attempts);
    try {
      if ((await this.storageOf(move)) !== move.destination) await this.copyAndSwitch(move);
    } catch (error) {
      if (attemptsMade + 1 < attempts && isPassing(error) && !(await this.holdsWrites(moveId))) throw error;
      await this.giveUp(move, error);
      return;
    }
    await this.moves.progress(moveId, 'replicated');
    // The gate of an earlier move away from here whose cleanup failed.
    this.gate.open({ id: move.projectId, storage: move.destination });
    await this.add({ ...move, state: 'replicated' }, '-cleanup');
  }

  /** If writes are not held, nobody waits for the move, which may wait for others. */
  private async holdsWrites(moveId: number): Promise<boolean> {
    return (await this.moves.find(moveId))?.holdsWrites === true;
  }

  private async copyAndSwitch(move: StorageMove): Promise<void> {
    const { projectId, source, destination } = move;
    await this.moves.progress(move._id, 'started');
    for (const kind of repositoryKinds) {
      await this.replicate(move, kind);
      await this.verify(move, kind);
    }
    await this.moves.markHeld(move._id);
    await this.client.call(holdWrites, { project_id: projectId, hold: true }, { project: at(source) });
    await this.publishProject(move, source, true);
    await Promise.all(
      repositoryKinds.map(async (kind) =>
        requireSame(await this.replicate(move, kind), await this.refsHere(move, kind)),
      ),
    );
    await this.settleOn(move, destination);
  }

  /** Sets the storage of the project, and accepts writes there. */
  private async settleOn(move: StorageMove, storage: string): Promise<void> {
    await this.repositories.move(move.projectId, storage);
    await this.mirrors.moveProject(move.projectId, storage);
    await this.intents.moveProject(move.projectId, storage);
    await this.publishProject(move, storage, false);
  }

  private async publishProject(
    { projectId, source }: StorageMove,
    storage: string,
    isReadOnly: boolean,
  ): Promise<void> {
    const input = { project_id: projectId, from: source, storage, is_read_only: isReadOnly };
    await this.client.call(setProjectStorage, input);
  }

  /** Updates the copy from the original. @returns the original's refs; null if there is no repository */
  private async replicate(move: StorageMove, kind: RepositoryKind) {
    const { projectId, source, destination } = move;
    const from: RepositoryLocation = { id: projectId, storage: source };
    const target = this.storages.locate({ id: projectId, storage: destination }, kind);
    const before = await this.copies.refs(from, kind);
    if (!before.exists) return null;
    if (isSame(before, await this.refsHere(move, kind))) return before;
    if (kind === 'wiki') await ensureWiki(target.engine, target.path, projectId);
    else if (!(await target.engine.storage.exists(target.path))) await target.engine.storage.create(projectId);
    await this.copies.bringAll(target, from, kind);
    // Read after the objects: objects of a ref that was added in between come in the next round.
    const refs = await this.copies.refs(from, kind);
    const known = await keepKnown(target, refs);
    await target.engine.copies.restore(target.path, known);
    return refs;
  }

  /** Checks every ref against its objects: once, because later objects are checked when they are fetched. */
  private async verify({ projectId, destination }: StorageMove, kind: RepositoryKind): Promise<void> {
    const { engine, path } = this.storages.locate({ id: projectId, storage: destination }, kind);
    if (await engine.storage.exists(path)) await engine.copies.verify(path);
  }

  private async refsHere({ projectId, destination }: StorageMove, kind: RepositoryKind): Promise<RefSnapshot | null> {
    const { engine, path } = this.storages.locate({ id: projectId, storage: destination }, kind);
    return (await engine.storage.exists(path)) ? engine.copies.snapshot(path) : null;
  }

  /** Null if the project was deleted. */
  private async storageOf({ projectId }: StorageMove): Promise<string | null> {
    const input = { project: String(projectId), user_id: null, is_admin: true };
    try {
      return (await this.client.call(resolveProject, input)).project.storage;
    } catch (error) {
      if (isError(error, projectErrors.notFound)) return null;
      throw error;
    }
  }

  /** The old copy is still in use: writes continue there, and the new copy is removed. */
  private async giveUp(move: StorageMove, error: unknown): Promise<void> {
    const { projectId, source, destination } = move;
    // If even this is unknown the move stays open, and is checked again.
    const storage = await this.storageOf(move);
    // A failure after the project's deletion is expected.
    if (storage === null) this.log.log(`move ${move._id}: its project was deleted meanwhile`);
    else this.log.error(`move ${move._id}: ${error instanceof Error ? error.stack : error}`);
    if (storage === destination) throw error;
    if (storage === source) {
      await this.settleOn(move, source);
      await this.client.call(holdWrites, { project_id: projectId, hold: false }, { project: at(source) });
    }
    const { engine } = this.storages.locate({ id: projectId, storage: destination });
    for (const kind of repositoryKinds) await engine.remove(engine.storage.path(projectId, kind));
    await this.moves.end(move._id, 'failed', error instanceof Error ? error.message : String(error));
  }

  /** The process with the old copy may be down for a moment; clones that read it take any time. */
  private async discard(move: StorageMove, isLastAttempt: boolean): Promise<void> {
    try {
      await this.client.call(discardCopy, { project_id: move.projectId }, { project: at(move.source) });
    } catch (error) {
      if (isError(error, storageMoveErrors.copyInUse)) return this.add(move, `-in-use-${Date.now()}`);
      if (!isLastAttempt) throw error;
      return this.moves.end(move._id, 'cleanup failed', String(error));
    }
    await this.moves.end(move._id, 'finished');
  }
}

/** These operations only use the storage. */
const at = (storage: string): ProjectRef => ({ storage }) as ProjectRef;

/** Refs whose objects have arrived; the others come in the next round. */
async function keepKnown(
  { engine, path }: ReturnType<Storages['locate']>,
  { head, refs }: RefSnapshot,
): Promise<RefSnapshot> {
  const found = await Promise.all(refs.map(({ id }) => engine.objects.info(path, id)));
  return { head, refs: refs.filter((_, index) => found[index] !== null) };
}

/** @throws Error if any ref of the copy differs from the original */
function requireSame(original: RefSnapshot | null, copy: RefSnapshot | null): void {
  if (!isSame(original, copy)) throw new Error('the copy differs from the original');
}

function isSame(one: RefSnapshot | null, other: RefSnapshot | null): boolean {
  return (one && linesOf(one)) === (other && linesOf(other));
}
