import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A disk of some megabytes, in memory, that can be filled to the last byte. */
export class SmallDisk {
  private constructor(readonly folder: string) {}

  /** @throws Error if this user may not mount */
  static mount(megabytes: number): SmallDisk {
    const folder = mkdtempSync(path.join(tmpdir(), 'moothall-disk-'));
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder], { stdio: 'pipe' });
    } catch (error) {
      rmSync(folder, { recursive: true });
      throw error;
    }
    return new SmallDisk(folder);
  }

  /** Undefined if this user may not mount: skip the tests that need it. */
  static tryMount(megabytes: number): SmallDisk | undefined {
    try {
      return SmallDisk.mount(megabytes);
    } catch {
      return undefined;
    }
  }

  fill(): void {
    const file = openSync(this.filler, 'a');
    const block = Buffer.alloc(1 << 20);
    try {
      for (let size = block.length; size > 0; ) {
        try {
          writeSync(file, block, 0, size);
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
          size >>= 1;
        }
      }
    } finally {
      closeSync(file);
    }
  }

  makeRoom(): void {
    rmSync(this.filler, { force: true });
  }

  unmount(): void {
    execFileSync('umount', ['--lazy', this.folder]);
    rmSync(this.folder, { recursive: true });
  }

  private get filler(): string {
    return path.join(this.folder, 'filler');
  }
}
