import type { GitEngine } from '../git/engine';
import { GitError } from '../git/process/errors';

/** Branch of a wiki's pages until a push decides otherwise. See docs/api/wikis.md#1. */
const wikiBranch = 'master';

/** Makes a project's wiki repository where there is none; two who come at once make one. */
export async function ensureWiki(engine: GitEngine, path: string, projectId: number): Promise<void> {
  if (await engine.storage.exists(path)) return;
  await engine.storage.create(projectId, { kind: 'wiki', defaultBranch: wikiBranch }).catch((error: unknown) => {
    if (!(error instanceof GitError && error.reason === 'repository_exists')) throw error;
  });
}
