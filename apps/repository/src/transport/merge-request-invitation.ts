import { mostNoticedBranches } from '@moothall/contracts';
import type { RefUpdate } from '../git/refs/refs';

export interface PushedBranch {
  name: string;
  isNew: boolean;
}

const heads = 'refs/heads/';
/** Control characters, and others that a terminal does not show as they are. */
const unprintable = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** The branches that a push created or moved; of many only the new ones, and none if these are many: it copies a repository. */
export function pushedBranchesOf(updates: readonly RefUpdate[]): PushedBranch[] {
  const pushed = updates.flatMap(({ refName, before, after }) =>
    after !== null && refName.startsWith(heads) ? [{ name: refName.slice(heads.length), isNew: before === null }] : [],
  );
  return [pushed, pushed.filter(({ isNew }) => isNew)].find(({ length }) => length <= mostNoticedBranches) ?? [];
}

/** The address of the form for a merge request of a new branch, in the words of v4, which tools read. */
export const invitationFor = (branch: string, projectUrl: string): string => `
To create a merge request for ${printable(branch)}, visit:
  ${projectUrl}/-/merge_requests/new?${new URLSearchParams({ 'merge_request[source_branch]': branch })}

`;

/** The address of an open merge request, in the same way. */
export const viewFor = (branch: string, projectUrl: string, iid: number): string => `
View merge request for ${printable(branch)}:
  ${projectUrl}/-/merge_requests/${iid}

`;

const printable = (branch: string): string => branch.replaceAll(unprintable, '\u{fffd}');
