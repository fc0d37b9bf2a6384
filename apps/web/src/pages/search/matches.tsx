import type { BlobMatch, CommitMatch, Note, ProjectRef, UserSummary } from '@moothall/contracts';
import { Named, withoutTurns } from '@moothall/pages';
import { pathOf } from '../../parts/address';
import { Avatar } from '../../parts/avatar';
import { CodeBlock } from '../../parts/code-block';
import { CommitItem } from '../../parts/commit-list';
import { recordOf } from '../../parts/note-address';
import { shortened } from '../../parts/shortened';
import { Day } from '../../parts/time';
import { UserLink } from '../../parts/user-link';
import type { Visit } from '../../visit/visits';

/** Characters of a comment on the page. */
const mostOfNote = 500;

interface FileMatchesProps<T> {
  visit: Visit;
  matches: readonly T[];
  /** The address of one of the lines of a match. */
  addressOf(project: ProjectRef, match: T, line: number): string;
}

/** Places in files or in pages of wikis. */
export async function FileMatches<T extends InFile>({ visit, matches, addressOf }: FileMatchesProps<T>) {
  const found = await inProjects(visit, matches);
  return found.map(({ project, match }, at) => (
    <FileMatch
      key={at}
      number={at + 1}
      project={project}
      match={match}
      addressOf={(line) => addressOf(project, match, line)}
    />
  ));
}

type InFile = Pick<BlobMatch, 'project_id' | 'path' | 'startline' | 'data'>;

/** The matches, each with its project; without those in projects that are gone meanwhile. */
async function inProjects<T extends InFile>(
  visit: Visit,
  matches: readonly T[],
): Promise<{ project: ProjectRef; match: T }[]> {
  const ids = new Set(matches.map(({ project_id }) => project_id));
  const found = await Promise.all([...ids].map((id) => visit.findProject(String(id))));
  const projects = new Map(found.flatMap((project) => (project ? [[project.id, project]] : [])));
  return matches.flatMap((match) => {
    const project = projects.get(match.project_id);
    return project ? [{ project, match }] : [];
  });
}

interface FileMatchProps {
  /** Of the match on the page, from 1. */
  number: number;
  project: ProjectRef;
  match: InFile;
  /** Where a line is, by its number. */
  addressOf(line: number): string;
}

/** A file with the lines that match. */
const FileMatch = ({ number, project, match: { path, data, startline }, addressOf }: FileMatchProps) => (
  <section class="record">
    <h2>
      <a href={addressOf(startline)}>
        <Named>{path}</Named>
      </a>
    </h2>
    <p class="dim">
      <Named>{project.fullPath}</Named>
    </p>
    <CodeBlock label={`Match ${number}: lines of ${withoutTurns(shortened(path))}`}>
      {data
        .replace(/\n$/, '')
        .split('\n')
        .map((line, at) => (
          <span key={at}>
            <a href={addressOf(startline + at)} tabIndex={-1}>
              {startline + at}
            </a>
            {line}
            {'\n'}
          </span>
        ))}
    </CodeBlock>
  </section>
);

/** Comments on issues and merge requests. */
export const NoteMatches = ({ project, notes }: { project: ProjectRef; notes: readonly Note[] }) => (
  <ul class="list">
    {notes.map((note) => (
      <li key={note.id}>
        <p>
          <a href={`${recordOf(project, note)}#note_${note.id}`}>
            <Named>{shortened(note.body, mostOfNote)}</Named>
          </a>
        </p>
        <p class="dim">
          By <Named>{note.author.name}</Named> on <Day at={note.created_at} />
        </p>
      </li>
    ))}
  </ul>
);

export const CommitMatches = ({ commits }: { commits: readonly CommitMatch[] }) => (
  <ul class="list">
    {commits.map((commit) => (
      <li key={commit.web_url}>
        <CommitItem commit={commit} path={pathOf(commit.web_url)} />
      </li>
    ))}
  </ul>
);

export const UserMatches = ({ users }: { users: readonly UserSummary[] }) => (
  <ul class="list">
    {users.map((user) => (
      <li key={user.id}>
        <Avatar of={user} size={20} />
        <UserLink user={user} /> <span class="dim">@{user.username}</span>
      </li>
    ))}
  </ul>
);
