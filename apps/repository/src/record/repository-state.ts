import type { GitEngine } from '../git/engine';
import type { Located } from '../storage/storages';

/** State of a repository after a change; the projects service stores a copy. */
export interface RepositoryState {
  default_branch: string | null;
  is_empty: boolean;
  readme_path: string | null;
}

const readme = /^readme(\.(md|markdown|mdown|rst|adoc|asciidoc|org|rdoc|txt))?$/i;

export async function stateOf({ engine, path }: Located): Promise<RepositoryState> {
  const branch = await engine.storage.defaultBranch(path);
  const commit = branch === null ? null : await engine.commits.find(path, `refs/heads/${branch}`);
  const hasBranches = commit !== null || (await engine.refs.list(path, 'heads')).length > 0;
  return {
    default_branch: hasBranches ? branch : null,
    is_empty: !hasBranches,
    readme_path: commit ? await readmeOf(engine, path, commit.treeId) : null,
  };
}

async function readmeOf(engine: GitEngine, path: string, treeId: string): Promise<string | null> {
  const entries = await engine.trees.entries(path, treeId);
  return entries.find((entry) => entry.type === 'blob' && readme.test(entry.name))?.name ?? null;
}
