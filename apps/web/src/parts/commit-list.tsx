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
      {commits.map(({ id, short_id, title, author_name, authored_date }) => (
        <li key={id}>
          <p>
            <a href={below(project, 'commit', id)}>
              <CommitTitle title={title} />
            </a>
          </p>
          <p class="dim">
            <code>{short_id}</code> by <Named>{author_name}</Named> on <Day at={authored_date} />
          </p>
        </li>
      ))}
    </ul>
  );
