import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describeOwner, isGone, type Owner, thisProcess } from './owner';

/** A lock that was not touched for this time has no owner. */
const staleAfterMs = 8000;
const touchEveryMs = 2000;

/** Another process uses the folder. */
export class FolderInUse extends Error {
  constructor(
    readonly folder: string,
    readonly holder: Owner,
  ) {
    super(`the folder ${folder} is in use by ${describeOwner(holder)}`);
  }
}

/**
 * Prevents a second process from using a folder. The lock is a file that names its owner. After a kill the lock is
 * taken over when the owner no longer runs, or, if that cannot be detected (as from another container), when the lock
 * is no longer touched.
 */
export class FolderLock {
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly file: string,
    private readonly text: string,
  ) {
    this.timer = setInterval(() => this.touch(), touchEveryMs).unref();
  }

  /** @throws FolderInUse; Error when the folder cannot be written to */
  static take(folder: string, name: string): FolderLock {
    const file = path.join(folder, name);
    const mine = `${file}.${process.pid}`;
    // Linked, not written: the lock never exists without its content.
    const text = JSON.stringify({ ...thisProcess(), lock: randomUUID() });
    writeFileSync(mine, text, { mode: 0o600 });
    try {
      while (!tryLink(mine, file)) setAsideIfStale(folder, file);
    } finally {
      rmSync(mine, { force: true });
    }
    return new FolderLock(file, text);
  }

  release(): void {
    clearInterval(this.timer);
    if (this.isOwn()) rmSync(this.file, { force: true });
  }

  /** Another process takes it over from one that was suspended elsewhere; the file then belongs to the new owner. */
  private isOwn(): boolean {
    try {
      return readFileSync(this.file, 'utf8') === this.text;
    } catch {
      return false;
    }
  }

  private touch(): void {
    if (!this.isOwn()) return;
    const now = new Date();
    try {
      utimesSync(this.file, now, now);
    } catch {
      // The folder was deleted, as in tests.
    }
  }
}

/** A link is created atomically, also if two processes start concurrently. */
function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function setAsideIfStale(folder: string, file: string): void {
  refuseIfHeld(folder, file);
  const aside = `${file}.stale-${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  try {
    // Another process was faster, and this is its new lock: move it back.
    if (holderOf(aside)) tryLink(aside, file);
    refuseIfHeld(folder, aside);
  } finally {
    rmSync(aside, { force: true });
  }
}

function refuseIfHeld(folder: string, file: string): void {
  const holder = holderOf(file);
  if (holder) throw new FolderInUse(folder, holder);
}

/** The running owner of a lock; undefined if there is none, or if a crash left the file incomplete. */
function holderOf(file: string): Owner | undefined {
  try {
    const holder = JSON.parse(readFileSync(file, 'utf8')) as Owner;
    if (isGone(holder)) return undefined;
    const isHere = holder.place === thisProcess().place;
    return isHere || Date.now() - statSync(file).mtimeMs < staleAfterMs ? holder : undefined;
  } catch {
    return undefined;
  }
}
