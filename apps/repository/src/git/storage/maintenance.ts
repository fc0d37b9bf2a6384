import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { waitingFor } from '@moothall/tracing';
import { simpleGit } from 'simple-git';
import type { ObjectReader } from '../objects/object-reader';
import { gitEnvironment } from '../process/run-git';

/** Of one repository; the first say enough. */
export const mostFindings = 100;

/** What a repository check found; empty when all is well. */
export interface Damage {
  /** git's own words, one finding each. */
  findings: string[];
}

export interface MaintenanceLimits {
  /** Packs beyond which reads get slower. */
  packs: number;
  looseObjects: number;
}

/** @see git gc: its own limits are 50 packs and 6700 loose objects; ours are lower because servers read more. */
export const MAINTENANCE_LIMITS: MaintenanceLimits = { packs: 20, looseObjects: 2000 };

/** Unreachable objects younger than this may belong to a write that is still under way. */
const PRUNE_AGE = '2.weeks.ago';

/** The folders of loose objects, by the first byte of their names. */
const LOOSE_FOLDERS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Begins as git's own unfinished files do, which its tools pass over until they are old. */
const PIN = 'tmp_obj_pin';

/**
 * Keeps repositories fast and looks for damage. Every step replaces files by renaming, so reads continue and a
 * kill at any point leaves a whole repository; running it again finishes the work.
 */
export class RepositoryMaintenance {
  constructor(
    private readonly objects: ObjectReader,
    private readonly limits = MAINTENANCE_LIMITS,
  ) {}

  /** Whether a repository has collected enough packs or loose objects to be worth the work. */
  async isDue(repository: string): Promise<boolean> {
    const packs = await namesIn(join(repository, 'objects', 'pack'));
    if (packs.filter((name) => name.endsWith('.pack')).length > this.limits.packs) return true;
    // Object names are spread evenly, so one of the 256 folders is a sample of all.
    return (await namesIn(join(repository, 'objects', '17'))).length * 256 > this.limits.looseObjects;
  }

  /** Packs everything into one pack with a bitmap, writes the commit-graph, packs refs, and prunes what is old and unreachable. */
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
    // Open processes would keep the deleted packs on disk.
    this.objects.release(repository);
  }

  /** Reads every object and link. Unreachable objects are no damage. */
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
 * Git removes folders of loose objects that are empty. A write that has just looked for one then fails, or is lost
 * with exit code 0. So a file in each keeps all folders while git cleans up.
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

/** Maintenance is git's porcelain as anyone would type it, so simple-git runs it; no time limit, as these are jobs. */
async function run(repository: string, args: string[]): Promise<void> {
  const environment = gitEnvironment();
  // simple-git distrusts settings by environment, as they might be a caller's; these are all our own.
  const unsafe = { allowUnsafeConfigPaths: true, allowUnsafeConfigEnvCount: true, allowUnsafeHooksPath: true };
  const git = simpleGit({ baseDir: repository, allowEnvironment: Object.keys(environment), unsafe }).env(environment);
  await waitingFor('git', `git ${args[0]}`, async () => git.raw(args));
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
