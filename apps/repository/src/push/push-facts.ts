import { type EventData, present, type pushReceived } from '@moothall/contracts';
import type { Commit } from '../git/objects/commit';
import type { ChangedFiles } from '../git/read/compare-trees';
import type { RefUpdate } from '../git/refs/refs';
import type { Located } from '../storage/storages';

type Facts = Pick<
  EventData<typeof pushReceived>,
  'ref_type' | 'checkout_sha' | 'message' | 'commits' | 'total_commits_count'
>;

const maxCommits = 20;
const maxNameBytes = 200_000;
const maxMessageLength = 10_000;

/** The part of a hook's payload that describes a moved branch or tag. @param url of the project's pages */
export async function factsOf(located: Located, update: RefUpdate, url: string): Promise<Facts> {
  if (update.refName.startsWith('refs/tags/')) return factsOfTag(located, update);
  const none = { ref_type: 'branch' as const, checkout_sha: null, message: null, commits: [], total_commits_count: 0 };
  if (update.after === null) return none;
  const { engine, path } = located;
  const query = { from: update.after, not: await knownBefore(located, update) };
  const [total, ids] = await Promise.all([
    engine.log.count(path, query),
    engine.log.ids(path, { ...query, limit: maxCommits }),
  ]);
  const commits = await engine.commits.list(path, ids.toReversed());
  const files = bounded(await engine.changedFiles.list(path, commits));
  return {
    ...none,
    checkout_sha: update.after,
    commits: commits.map((commit) => ({
      ...viewPushed(commit, url),
      ...present(files.get(commit.id), `what ${commit.id} changes`),
    })),
    total_commits_count: total,
  };
}

async function factsOfTag({ engine, path }: Located, { refName, after }: RefUpdate): Promise<Facts> {
  const tag = after ? await engine.tags.get(path, refName.slice('refs/tags/'.length)).catch(() => null) : null;
  return {
    ref_type: 'tag',
    checkout_sha: tag?.commitId ?? null,
    message: tag?.message ?? null,
    commits: [],
    total_commits_count: 0,
  };
}

/** Commits that existed before: the branch's old head, and for a new branch the whole default branch. */
async function knownBefore({ engine, path }: Located, { refName, before }: RefUpdate): Promise<string[]> {
  if (before !== null) return (await engine.objects.info(path, before)) ? [before] : [];
  const main = await engine.storage.defaultBranch(path);
  if (main === null || refName === `refs/heads/${main}`) return [];
  const tip = await engine.objects.readRef(path, `refs/heads/${main}`);
  return tip ? [tip.id] : [];
}

const viewPushed = (commit: Commit, url: string) => ({
  id: commit.id,
  title: commit.title,
  message: commit.message.slice(0, maxMessageLength),
  timestamp: commit.committer.date,
  url: `${url}/-/commit/${commit.id}`,
  author: { name: commit.author.name, email: commit.author.email },
});

/** An event must fit into a message: above the limit, names of files are left out. */
function bounded(files: ReadonlyMap<string, ChangedFiles>): Map<string, ChangedFiles> {
  let left = maxNameBytes;
  const take = (names: string[]): string[] =>
    names.filter((name) => {
      left -= Buffer.byteLength(name);
      return left > 0;
    });
  return new Map(
    [...files].map(([id, { added, modified, removed }]) => [
      id,
      { added: take(added), modified: take(modified), removed: take(removed) },
    ]),
  );
}
