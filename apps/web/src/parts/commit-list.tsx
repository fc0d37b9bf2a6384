import type { Commit, ProjectRef } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { z } from 'zod';
import { below } from './code-address';
import { CommitTitle } from './commit-title';
import { Day } from './time';

interface Props {
  project: ProjectRef;
  commits: readonly z.infer<typeof Commit>[];
  none: string;
}

/** Commits, one below the other. */
export const CommitList = ({ project, commits, none }: Props) =>
  commits.length === 0 ? (
    <p class="dim">{none}</p>
  ) : (
    <ul class="list">
      {commits.map((commit) => (
        <li key={commit.id}>
          <CommitItem commit={commit} path={below(project, 'commit', commit.id)} />
        </li>
      ))}
    </ul>
  );

interface ItemProps {
  commit: Pick<Props['commits'][number], 'short_id' | 'title' | 'author_name' | 'authored_date'>;
  path: string;
}

/** A commit in a list. */
export const CommitItem = ({ commit: { short_id, title, author_name, authored_date }, path }: ItemProps) => (
  <>
    <p>
      <a href={path}>
        <CommitTitle title={title} />
      </a>
    </p>
    <p class="dim">
      <code>{short_id}</code> by <Named>{author_name}</Named> on <Day at={authored_date} />
    </p>
  </>
);
