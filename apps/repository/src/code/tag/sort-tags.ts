import type { Tag } from '../../git/refs/tags';
import type { Located } from '../../storage/storages';

type CommitTag = Tag & { commitId: string };

/**
 * By name, or by time of the last change: the tagger's date, else the commit's. Tags that do not point to a commit are
 * left out.
 */
export async function sortTags(
  { engine, path }: Located,
  tags: readonly Tag[],
  orderBy: 'updated' | 'name',
  sort: 'asc' | 'desc',
): Promise<Tag[]> {
  const direction = sort === 'asc' ? 1 : -1;
  const shown = tags.filter((tag): tag is CommitTag => tag.commitId !== null);
  if (orderBy === 'name') return shown.toSorted((a, b) => direction * compareNames(a, b));
  const commits = await engine.commits.list(
    path,
    shown.map(({ commitId }) => commitId),
  );
  const committed = new Map(commits.map((commit) => [commit.id, commit.committer.date]));
  const updated = ({ tagger, commitId }: CommitTag): number =>
    Date.parse(tagger?.date ?? committed.get(commitId) ?? '');
  return shown.toSorted((a, b) => direction * (updated(a) - updated(b) || compareNames(a, b)));
}

const compareNames = (a: Tag, b: Tag): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
