import type { DataFolder } from './open-data-folder';

/** Entries of GIT_STORAGES. */
export function storagesOf(folder: DataFolder, env: NodeJS.ProcessEnv): string[] {
  const set = env.GIT_STORAGES?.split(',').map((entry) => entry.trim());
  return set ?? [`default=${folder.gitFolder}`, `second=${folder.secondGitFolder}`];
}
