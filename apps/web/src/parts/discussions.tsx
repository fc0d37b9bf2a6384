import type { Discussion, DiscussionBeginning, Note, ProjectRef } from '@moothall/contracts';
import { Named, withReturn } from '@moothall/pages';
import type { Address } from '../page/page';
import type { Visit } from '../visit/visits';
import { CollapsedForm } from './collapsed-form';
import { Action, Form, TextArea } from './form';
import { changeableNotes, recordOf } from './note-address';
import { Paging, pageOf } from './paging';
import { longestText, readTexts, Text, type TextShown } from './texts';
import { Day } from './time';
import { UserLink } from './user-link';

interface NoteShown {
  note: Note;
  text: TextShown;
  /** The page that edits the note; undefined unless the visitor may change it. */
  editAt: string | undefined;
}

export interface ThreadShown {
  id: string;
  notes: readonly NoteShown[];
  /** Number of further notes, which are not shown. */
  left: number;
}

export interface DiscussionsShown {
  visit: Visit;
  address: Address;
  /** Of the record; undefined if it has none. */
  description: TextShown | undefined;
  /** Undefined if the visitor may not see them. */
  threads: readonly ThreadShown[] | undefined;
  /** What the visitor may do. */
  allowed: Allowed;
}

export interface Allowed {
  comments: boolean;
  resolves?: boolean;
}

/** Of each discussion, a page asks for so many notes, and for the beginnings of their texts. */
export const beginnings = { notes: 50, characters: longestText };
/** Limit of shown notes of all discussions of a page. */
const mostOfPage = 100;

interface Discussed {
  description?: string | null;
  /** Of one page; undefined if the visitor may not see them. */
  discussions: readonly (Discussion & Partial<DiscussionBeginning>)[] | undefined;
}

/**
 * Renders the description of a record and the notes of one page of its discussions, by one request.
 * @param project undefined for those of a group
 * @param mostOfText characters of each text
 */
export async function readDiscussions(
  visit: Visit,
  project: ProjectRef | undefined,
  { description: opening, discussions }: Discussed,
  address: Address,
  allowed: Allowed,
  mostOfText?: number,
): Promise<DiscussionsShown> {
  let room = mostOfPage;
  const cut = discussions?.map(({ id, notes, left = 0 }) => {
    const shown = notes.slice(0, room);
    room -= shown.length;
    return { id, notes: shown, left: left + notes.length - shown.length };
  });
  const bodies = cut?.flatMap(({ notes }) => notes.map(({ body }) => body)) ?? [];
  const texts = await readTexts(visit, project, [...(opening ? [opening] : []), ...bodies], undefined, mostOfText);
  const description = opening ? texts.shift() : undefined;
  const editAt = project && cut ? await editAddresses(visit, project, address) : () => undefined;
  const threads = cut?.map(({ notes, ...thread }) => ({
    ...thread,
    notes: notes.map((note) => ({ note, text: texts.shift() as TextShown, editAt: editAt(note) })),
  }));
  return { visit, address, description, threads, allowed };
}

/** @returns the page that edits a note; undefined unless the visitor may change it */
async function editAddresses(
  visit: Visit,
  project: ProjectRef,
  address: Address,
): Promise<(note: Note) => string | undefined> {
  const mayChange = changeableNotes(visit, project);
  return (note) => (mayChange(note) ? pathOfEdit(project, note, address) : undefined);
}

/** Includes the page of the discussion, so that the form leads back to it. */
function pathOfEdit(project: ProjectRef, note: Note, address: Address): string | undefined {
  const record = recordOf(project, note);
  const page = address.path.split('?', 1)[0] === record ? pageOf(address) : 1;
  return record && `${record}/notes/${note.id}/edit${page > 1 ? `?page=${page}` : ''}`;
}

/** The discussions of an issue or a merge request, oldest first. */
export const Discussions = ({ visit, address, threads, allowed }: Omit<DiscussionsShown, 'description'>) => (
  <section aria-labelledby="discussion">
    <h2 id="discussion">Discussion</h2>
    {threads === undefined && (
      <p class="dim">
        <a href={withReturn('/users/sign_in', address.path)}>Sign in</a> to see the discussion.
      </p>
    )}
    {threads?.length === 0 && <p class="dim">Nobody has written here.</p>}
    {threads?.map((thread) => (
      <Thread key={thread.id} visit={visit} address={address} thread={thread} allowed={allowed} />
    ))}
    <Paging address={address} shown={threads?.length ?? 0} />
    {allowed.comments && (
      <Form visit={visit} address={address} name="comment">
        <TextArea name="body" label="Comment" hint="Markdown" rows={6} required />
        <button type="submit">Comment</button>
      </Form>
    )}
  </section>
);

export interface ThreadProps {
  visit: Visit;
  address: Address;
  thread: ThreadShown;
  allowed: Allowed;
}

export const Thread = ({ visit, address, thread: { id, notes, left }, allowed }: ThreadProps) => {
  const first = notes[0]?.note;
  return (
    <section class="thread">
      {notes.map((shown) => (
        <NoteItem key={shown.note.id} {...shown} />
      ))}
      {left > 0 && <p class="dim">{left === 1 ? 'One more note is' : `${left} more notes are`} not shown.</p>}
      {allowed.comments && first && !first.system && <Reply visit={visit} address={address} id={id} />}
      {allowed.resolves && first?.resolvable && (
        <Action
          {...{ visit, address, of: id }}
          name={first.resolved ? 'reopen-discussion' : 'resolve'}
          word={first.resolved ? 'Open again' : 'Resolve'}
          look="quiet"
        />
      )}
    </section>
  );
};

const Reply = ({ visit, address, id }: { visit: Visit; address: Address; id: string }) => (
  <CollapsedForm visit={visit} address={address} name="reply" of={id} word="Reply">
    <TextArea name="body" label="Reply" rows={4} required />
    <button type="submit">Reply</button>
  </CollapsedForm>
);

const NoteItem = ({ note, text, editAt }: NoteShown) => (
  <article id={`note_${note.id}`} class={note.system ? 'system' : undefined}>
    <p class="dim">
      <UserLink user={note.author} /> on <Day at={note.created_at} />
      {note.internal && ' (internal note)'}
      {note.resolved && ' (resolved)'}
      {note.position && <Position position={note.position} />}
      {editAt && (
        <>
          {' · '}
          <a href={editAt}>Edit</a>
        </>
      )}
    </p>
    <Text {...text} level={2} />
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
