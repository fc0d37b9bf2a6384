import { linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'server.lock';

interface Holder {
  pid: number;
  /** When that process started, in clock ticks since boot: tells a living holder from a newcomer with its number. */
  startedAt: string;
}

/**
 * Keeps a second server out of a folder: lmdb itself would let both write.
 * The lock is a file that names its holder; one left by a kill is recognised by the holder being gone.
 */
export class FolderLock {
  private constructor(private readonly path: string) {}

  /** @throws Error when another process holds the folder, or the folder cannot be written to */
  static take(folder: string): FolderLock {
    const path = join(folder, FILE);
    const mine = `${path}.${process.pid}`;
    writeFileSync(mine, JSON.stringify({ pid: process.pid, startedAt: startTime(process.pid) }), { mode: 0o600 });
    try {
      while (!linked(mine, path)) setAsideIfStale(path, folder);
    } finally {
      unlinkSync(mine);
    }
    return new FolderLock(path);
  }

  release(): void {
    rmSync(this.path, { force: true });
  }
}

/** A link is made whole or not at all, also when two servers start at once. */
function linked(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function setAsideIfStale(path: string, folder: string): void {
  const holder = read(path);
  if (!holder) return;
  if (isAlive(holder)) throw new Error(`the folder ${folder} is in use by process ${holder.pid}`);
  const aside = `${path}.stale-${process.pid}`;
  renameSync(path, aside);
  const moved = read(aside);
  // Another newcomer was faster and what was moved is its fresh lock: that goes back to its place.
  if (moved && isAlive(moved)) linked(aside, path);
  rmSync(aside, { force: true });
  if (moved && isAlive(moved)) throw new Error(`the folder ${folder} is in use by process ${moved.pid}`);
}

function read(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Holder;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`the lock file ${path} is unreadable; remove it if no server runs on that folder`);
  }
}

function isAlive(holder: Holder): boolean {
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return startTime(holder.pid) === holder.startedAt;
}

/** Field 22 of /proc/<pid>/stat; empty where there is no /proc, and then the number alone must do. */
function startTime(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie: killed, and its parent (in a container often a program that never asks) has not heard of it.
    if (fields[0] === 'Z') return 'dead';
    return fields[19] ?? '';
  } catch {
    return '';
  }
}
