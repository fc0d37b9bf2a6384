import type { Commit as CommitView, ProjectRef } from '@moothall/contracts';
import type { z } from 'zod';
import type { Commit } from '../../git/objects/commit';
import { trailersIn } from './trailers';

/** Absolute URL of a project's pages. */
export const projectUrl = (externalUrl: string, project: ProjectRef): string => `${externalUrl}/${project.fullPath}`;

export function viewCommit(commit: Commit, url: string): z.infer<typeof CommitView> {
  return {
    id: commit.id,
    short_id: commit.id.slice(0, 8),
    created_at: commit.committer.date,
    parent_ids: commit.parentIds,
    title: commit.title,
    message: commit.message,
    author_name: commit.author.name,
    author_email: commit.author.email,
    authored_date: commit.author.date,
    committer_name: commit.committer.name,
    committer_email: commit.committer.email,
    committed_date: commit.committer.date,
    web_url: `${url}/-/commit/${commit.id}`,
  };
}

/** Line counts in the form of the API. */
export const viewStats = ({ additions, deletions }: { additions: number; deletions: number }) => ({
  additions,
  deletions,
  total: additions + deletions,
});

/** The `Name: value` lines at the end of the message. */
export function viewTrailers({ message }: Commit) {
  const all = new Map<string, string[]>();
  for (const [name, value] of trailersIn(message)) all.set(name, [...(all.get(name) ?? []), value]);
  return {
    trailers: Object.fromEntries([...all].map(([name, values]) => [name, values.at(-1) ?? ''])),
    extended_trailers: Object.fromEntries(all),
  };
}
