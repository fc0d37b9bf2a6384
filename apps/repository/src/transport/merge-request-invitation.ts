import type { RefUpdate } from '../git/refs/refs';

/** A push of more new branches copies a repository. */
const mostBranches = 3;
const heads = 'refs/heads/';
/** Control characters, and others that a terminal does not show as they are. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** The branches that a push created; none if there are many. */
export function newBranchesOf(updates: readonly RefUpdate[]): string[] {
  const created = updates.flatMap(({ refName, before, after }) =>
    before === null && after !== null && refName.startsWith(heads) ? [refName.slice(heads.length)] : [],
  );
  return created.length > mostBranches ? [] : created;
}

/** The addresses of forms for merge requests of new branches, in the words of v4, which tools read. */
export const invitationFor = (branches: readonly string[], projectUrl: string): string =>
  branches
    .map(
      (branch) => `
To create a merge request for ${branch.replaceAll(unprintable, '\u{fffd}')}, visit:
  ${projectUrl}/-/merge_requests/new?${new URLSearchParams({ 'merge_request[source_branch]': branch })}

`,
    )
    .join('');
