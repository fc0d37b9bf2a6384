import { mkdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describeOwner, FolderInUse, FolderLock, Lease, type Owner } from '@moothall/background';
import { Logger } from '@nestjs/common';
import type { Connection } from 'mongoose';

const lookAgainMs = 500;

/** Ownership of storages: a lock on each folder, and a lease in the database. */
export class StorageHolding {
  private constructor(
    private readonly locks: FolderLock[],
    private readonly leases: Map<string, Lease>,
  ) {}

  /**
   * Waits until this process owns all of them, and reports whom it waits for: two processes on one storage would treat
   * each other's running work as leftovers of a crash.
   * @param folders by name of the storage
   * @param onWaiting called if another process owns one of them
   */
  static async take(
    connection: Connection,
    folders: ReadonlyMap<string, string>,
    onWaiting: () => void = () => undefined,
  ): Promise<StorageHolding> {
    const held = new StorageHolding([], new Map());
    for (const [name, folder] of folders) {
      const waits = (holder: Owner) => {
        log.warn(`storage ${name} is owned by ${describeOwner(holder)}; this process waits for it`);
        onWaiting();
      };
      mkdirSync(folder, { recursive: true, mode: 0o750 });
      held.locks.push(await lock(folder, waits));
      const lease = new Lease(connection.collection('leases'), `storage ${name}`, {
        onLost: (by) => endProcess(name, by),
      });
      await lease.take(waits);
      held.leases.set(name, lease);
    }
    return held;
  }

  /** Whether no other process can have taken over the storage; a process that was suspended checks this first. */
  async isCertain(name: string): Promise<boolean> {
    return (await this.leases.get(name)?.isCertain()) ?? false;
  }

  /** Releases the storages for other processes. */
  async giveUp(): Promise<void> {
    for (const one of this.locks.splice(0)) one.release();
    const leases = [...this.leases.values()];
    this.leases.clear();
    for (const lease of leases)
      await lease
        .giveUp()
        .catch((error: unknown) => log.warn(`${lease.name} could not be released and will expire: ${error}`));
  }
}

const log = new Logger('storages');

async function lock(folder: string, onWaiting: (holder: Owner) => void): Promise<FolderLock> {
  for (let isTold = false; ; isTold = true) {
    try {
      return FolderLock.take(folder, 'holder.lock');
    } catch (error) {
      if (!(error instanceof FolderInUse)) throw error;
      if (!isTold) onWaiting(error.holder);
      await delay(lookAgainMs);
    }
  }
}

/** After a suspension of seconds, as of a sleeping machine: another process owns the storage now. */
function endProcess(name: string, by: Owner | undefined): void {
  log.fatal(`storage ${name} was taken over by ${by ? describeOwner(by) : 'another process'}; this process stops`);
  process.exit(1);
}
