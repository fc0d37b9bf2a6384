import type { Discussion, Note, Project } from '@moothall/contracts';
import { Named, withReturn } from '@moothall/pages';
import type { Address } from '../page/page';
import type { Visit } from '../visit/visits';
import { Paging } from './paging';
import { readTexts, Text, type TextShown } from './texts';
import { Day } from './time';
import { UserLink } from './user-link';

interface NoteShown {
  note: Note;
  text: TextShown;
}

interface ThreadShown {
  id: string;
  notes: readonly NoteShown[];
  /** Number of further notes, which are not shown. */
  left: number;
}

export interface DiscussionsShown {
  address: Address;
  /** Undefined if the visitor may not see them. */
  threads: readonly ThreadShown[] | undefined;
}

/** Limit of shown notes of one discussion. */
const mostNotes = 50;
/** Of all discussions of a page. */
const mostOfPage = 100;

/** Renders the notes of one page of discussions. */
export async function readDiscussions(
  visit: Visit,
  project: Project,
  discussions: readonly Discussion[] | undefined,
  address: Address,
): Promise<DiscussionsShown> {
  if (!discussions) return { address, threads: undefined };
  let left = mostOfPage;
  const cut = discussions.map(({ id, notes }) => {
    const shown = notes.slice(0, Math.min(mostNotes, left));
    left -= shown.length;
    return { id, notes: shown, left: notes.length - shown.length };
  });
  const texts = await readTexts(
    visit,
    project,
    cut.flatMap(({ notes }) => notes.map(({ body }) => body)),
  );
  const threads = cut.map(({ notes, ...thread }) => ({
    ...thread,
    notes: notes.map((note) => ({ note, text: texts.shift() as TextShown })),
  }));
  return { address, threads };
}

/** The discussions of an issue or a merge request, oldest first. */
export const Discussions = ({ address, threads }: DiscussionsShown) => (
  <section aria-labelledby="discussion">
    <h2 id="discussion">Discussion</h2>
    {threads === undefined && (
      <p class="dim">
        <a href={withReturn('/users/sign_in', address.path)}>Sign in</a> to see the discussion.
      </p>
    )}
    {threads?.length === 0 && <p class="dim">Nobody has written here.</p>}
    {threads?.map(({ id, notes, left }) => (
      <section key={id} class="thread">
        {notes.map(({ note, text }) => (
          <NoteItem key={note.id} note={note} text={text} />
        ))}
        {left > 0 && <p class="dim">{left === 1 ? 'One more note is' : `${left} more notes are`} not shown.</p>}
      </section>
    ))}
    <Paging address={address} shown={threads?.length ?? 0} />
  </section>
);

const NoteItem = ({ note, text }: NoteShown) => (
  <article id={`note_${note.id}`} class={note.system ? 'system' : undefined}>
    <p class="dim">
      <UserLink user={note.author} /> on <Day at={note.created_at} />
      {note.internal && ' (internal note)'}
      {note.resolved && ' (resolved)'}
      {note.position && <Position position={note.position} />}
    </p>
    <Text {...text} />
  </article>
);

const Position = ({ position }: { position: NonNullable<Note['position']> }) => {
  const line = position.new_line ?? position.old_line;
  return (
    <>
      {', at '}
      <Named>{`${position.new_path ?? position.old_path ?? ''}${line ? `:${line}` : ''}`}</Named>
    </>
  );
};
