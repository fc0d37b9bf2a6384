import type { GitEngine } from '../git/engine';
import { GitError } from '../git/process/errors';

/** Default branch of a wiki until a push changes it. See docs/api/wikis.md#1. */
const wikiBranch = 'master';

/** Creates a project's wiki repository if there is none; concurrent calls create one. */
export async function ensureWiki(engine: GitEngine, path: string, projectId: number): Promise<void> {
  if (await engine.storage.exists(path)) return;
  await engine.storage.create(projectId, { kind: 'wiki', defaultBranch: wikiBranch }).catch((error: unknown) => {
    if (!(error instanceof GitError && error.reason === 'repository_exists')) throw error;
  });
}
