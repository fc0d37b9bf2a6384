import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitingFor } from '@moothall/tracing';
import { simpleGit } from 'simple-git';
import type { ObjectReader } from '../objects/object-reader';
import { gitEnvironment } from '../process/run-git';

/** Limit for one repository. */
export const mostFindings = 100;

/** Result of a repository check; empty for an intact repository. */
export interface Damage {
  /** Git's messages, one per finding. */
  findings: string[];
}

export interface MaintenanceLimits {
  /** Number of packs above which reads get slower. */
  packs: number;
  looseObjects: number;
}

/** @see git gc: its own limits are 50 packs and 6700 loose objects; these are lower because servers read more. */
export const MAINTENANCE_LIMITS: MaintenanceLimits = { packs: 20, looseObjects: 2000 };

/** Younger unreachable objects may belong to a write in progress. */
const PRUNE_AGE = '2.weeks.ago';

/** The folders of loose objects, by the first byte of the id. */
const LOOSE_FOLDERS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Has the prefix of git's temporary files, which its tools ignore until they are old. */
const PIN = 'tmp_obj_pin';

/**
 * Maintains repositories and checks them for damage. Every step replaces files by renaming, so reads continue, and a
 * crash at any point leaves a complete repository; the next run finishes the work.
 */
export class RepositoryMaintenance {
  constructor(
    private readonly objects: ObjectReader,
    private readonly limits = MAINTENANCE_LIMITS,
  ) {}

  /** Whether a repository has enough packs or loose objects for maintenance. */
  async isDue(repository: string): Promise<boolean> {
    const packs = await namesIn(join(repository, 'objects', 'pack'));
    if (packs.filter((name) => name.endsWith('.pack')).length > this.limits.packs) return true;
    // Ids are evenly distributed, so one of the 256 folders is a sample.
    return (await namesIn(join(repository, 'objects', '17'))).length * 256 > this.limits.looseObjects;
  }

  /**
   * Repacks everything into one pack with a bitmap, writes the commit-graph, packs refs, and prunes old unreachable
   * objects.
   */
  async run(repository: string): Promise<void> {
    const git = (...args: string[]) => run(repository, args);
    await git('pack-refs', '--all', '--prune');
    const unpin = await pinFolders(repository);
    try {
      await git('repack', '-q', '-d', '-l', '-A', `--unpack-unreachable=${PRUNE_AGE}`, '--write-bitmap-index');
      await git('commit-graph', 'write', '--reachable', '--changed-paths', '--no-progress');
      await git('prune', `--expire=${PRUNE_AGE}`);
    } finally {
      await unpin();
    }
    // Open processes would retain deleted packs on disk.
    this.objects.release(repository);
  }

  /** Reads every object and link. Unreachable objects are not damage. */
  async check(repository: string): Promise<Damage> {
    const info = await stat(join(repository, 'HEAD')).catch(() => null);
    if (!info) return { findings: ['HEAD is missing'] };
    try {
      await run(repository, ['fsck', '--full', '--no-dangling', '--no-progress']);
      return { findings: [] };
    } catch (error) {
      const lines = (error as Error).message.split('\n').filter((line) => line.trim() !== '');
      return { findings: lines.slice(0, mostFindings) };
    }
  }
}

/**
 * Git removes empty folders of loose objects. A concurrent write that just checked for one then fails, or is lost with
 * exit code 0. So a file in each folder prevents the removal during cleanup.
 *
 * @returns ends this
 */
async function pinFolders(repository: string): Promise<() => Promise<void>> {
  const folders = LOOSE_FOLDERS.map((name) => join(repository, 'objects', name));
  for (const folder of folders) {
    await mkdir(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await writeFile(join(folder, PIN), '');
  }
  return async () => {
    for (const folder of folders) await rm(join(folder, PIN), { force: true });
  };
}

/** Maintenance uses git's porcelain commands, so simple-git runs it; without a time limit, as these are jobs. */
async function run(repository: string, args: string[]): Promise<void> {
  const environment = gitEnvironment();
  // simple-git rejects settings by environment, which could come from a caller; these are constants.
  const unsafe = { allowUnsafeConfigPaths: true, allowUnsafeConfigEnvCount: true, allowUnsafeHooksPath: true };
  const git = simpleGit({ baseDir: repository, allowEnvironment: Object.keys(environment), unsafe }).env(environment);
  await waitingFor('git', `git ${args[0]}`, async () => git.raw(args));
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
