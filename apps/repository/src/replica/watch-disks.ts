import { statfs } from 'node:fs/promises';
import { PeriodicJob } from '@moothall/background';
import { type ContextOf, freeSpaceOfStorages, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Controller, Inject } from '@nestjs/common';
import type { RepositorySettings } from '../settings/settings';
import { Storages } from '../storage/storages';
import { StorageMoves } from '../storage-move/storage-move.repository';

/** Free space on the disks of a secondary, which fills them by itself. Each process reports its own disks. */
@Controller()
export class WatchDisks {
  constructor(
    private readonly storages: Storages,
    private readonly moves: StorageMoves,
    @Inject(settingsToken) private readonly settings: RepositorySettings,
  ) {}

  @PeriodicJob('free space', { everySeconds: 30, byEach: true, where: (disks: WatchDisks) => disks.isSecondary })
  async look(): Promise<void> {
    for (const name of this.storages.names) {
      const { bavail, blocks } = await statfs(this.storages.engine(name).storage.root);
      await this.moves.noteFreeShare(name, blocks > 0 ? bavail / blocks : 1);
    }
  }

  private get isSecondary(): boolean {
    return this.settings.GEO_ROLE === 'secondary';
  }

  @Handles(freeSpaceOfStorages)
  async list(_: ContextOf<typeof freeSpaceOfStorages>, __: ParsedOf<typeof freeSpaceOfStorages>) {
    const known = await this.moves.listStorages();
    return known.flatMap(({ _id, freeShare }) =>
      freeShare === undefined ? [] : [{ storage: _id, free_share: freeShare }],
    );
  }
}
