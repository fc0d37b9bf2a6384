import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * A temporary folder of this process, made when it is first needed. What killed processes left under the same name is
 * removed then.
 */
export class OwnFolder {
  private made?: Promise<string>;

  /** @param name what is kept there, in one word */
  constructor(private readonly name: string) {}

  path(): Promise<string> {
    this.made ??= this.make().catch((error: unknown) => {
      this.made = undefined;
      throw error;
    });
    return this.made;
  }

  private async make(): Promise<string> {
    const prefix = path.join(tmpdir(), `moothall-${this.name}-`);
    await this.removeOrphans();
    return mkdtemp(`${prefix}${process.pid}-`);
  }

  private async removeOrphans(): Promise<void> {
    const folderName = new RegExp(`^moothall-${this.name}-(\\d+)-`);
    for (const name of await readdir(tmpdir())) {
      const pid = Number(folderName.exec(name)?.[1]);
      if (pid && !isAlive(pid)) await rm(path.join(tmpdir(), name), { recursive: true, force: true });
    }
  }

  async remove(): Promise<void> {
    const folder = await this.made?.catch(() => undefined);
    if (folder) await rm(folder, { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
