import { setTimeout as delay } from 'node:timers/promises';
import { type ContextOf, discardCopy, holdWrites, type ParsedOf, storageMoveErrors } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller, type OnModuleInit } from '@nestjs/common';
import { repositoryKinds } from '../git/storage/storage';
import { Storages } from '../storage/storages';
import { WriteGate } from '../storage/write-gate';
import { StorageMoves } from './storage-move.repository';

/** Time between reading a repository's location and the start of git there. */
const onTheWayMs = 2_000;
/** For longer reads the caller polls again. */
const readersMs = 5_000;

/** The source side of a move: it holds writes during the switch, and deletes the old copy at the end. */
@Controller()
export class MoveSource implements OnModuleInit {
  constructor(
    private readonly storages: Storages,
    private readonly gate: WriteGate,
    private readonly moves: StorageMoves,
  ) {}

  /** Gates are in memory: a killed process had closed them, and callers may still use the old location. */
  async onModuleInit(): Promise<void> {
    const moves = await this.moves.listUnderWay(this.storages.names);
    for (const { projectId, source, holdsWrites: isHeld } of moves) {
      if (isHeld && this.storages.names.includes(source)) await this.gate.close({ id: projectId, storage: source });
    }
  }

  @Handles(holdWrites)
  async hold({ project }: ContextOf<typeof holdWrites>, { project_id, hold }: ParsedOf<typeof holdWrites>) {
    const location = { id: project_id, storage: project.storage };
    if (hold) await this.gate.close(location);
    else this.gate.open(location);
  }

  @Handles(discardCopy)
  async discard({ project }: ContextOf<typeof discardCopy>, { project_id }: ParsedOf<typeof discardCopy>) {
    const location = { id: project_id, storage: project.storage };
    const engine = this.storages.engine(location.storage);
    const paths = repositoryKinds.map((kind) => engine.storage.path(project_id, kind));
    // Requests that read here, or were just routed here, finish: git opens files when it needs them.
    await delay(onTheWayMs);
    const settled = await Promise.all(paths.map((path) => engine.settled(path, readersMs)));
    if (settled.includes(false)) throw storageMoveErrors.copyInUse();
    for (const path of paths) await engine.remove(path);
    this.gate.open(location);
  }
}
