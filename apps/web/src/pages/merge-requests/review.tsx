import {
  createMergeRequestDiscussion,
  listLineDiscussions,
  type MergeRequest,
  type NotePosition,
  type ProjectRef,
} from '@moothall/contracts';
import { Notice } from '@moothall/pages';
import type { RouteAddress, TakeForm } from '../../page/page';
import { type ChangedLine, changedLines, type FileDiff, type FileReview } from '../../parts/diff';
import { type Allowed, type DiscussionsShown, readDiscussions, Thread } from '../../parts/discussions';
import { Form, Given, Hidden, TextArea } from '../../parts/form';
import { pageOf } from '../../parts/paging';
import type { Visit } from '../../visit/visits';
import { mergeRequestAt, mergeRequestDiscussionForms, pathOfMergeRequest, readActions } from './merge-request-actions';

/** Longer notes are cut here, and whole in the discussion of the merge request. */
const mostOfNote = 8 * 1024;

interface Review {
  reviewOf(file: FileDiff, number: number): FileReview;
  /** Whether all discussions of the files are shown. */
  isWhole: boolean;
}

type Refs = Record<'base_sha' | 'start_sha' | 'head_sha', string>;

/** The discussions of lines of the files, and the form for a new one. */
export async function readReview(
  visit: Visit,
  project: ProjectRef,
  request: MergeRequest,
  files: readonly FileDiff[],
  address: RouteAddress,
): Promise<Review> {
  const refs = refsOf(request);
  const asked = {
    ...mergeRequestAt(project, address),
    head_sha: refs?.head_sha ?? '',
    paths: [...new Set(files.flatMap(({ old_path, new_path }) => [old_path, new_path]))],
    characters: mostOfNote + 1,
  };
  const [found, allowed] = await Promise.all([
    visit.askIfSeen(listLineDiscussions, asked),
    readActions(visit, project, request),
  ]);
  const shown = await readDiscussions(
    visit,
    project,
    { discussions: found?.discussions },
    address,
    allowed,
    mostOfNote,
  );
  return {
    reviewOf: (file, number) => reviewOf({ file, number, refs, address, shown, allowed }),
    isWhole: found?.is_whole ?? true,
  };
}

/** Undefined without commits. */
function refsOf({ diff_refs }: MergeRequest): Refs | undefined {
  const { base_sha, start_sha, head_sha } = diff_refs ?? {};
  return base_sha && start_sha && head_sha ? { base_sha, start_sha, head_sha } : undefined;
}

interface Reviewed {
  file: FileDiff;
  /** Of the file on this page. */
  number: number;
  refs: Refs | undefined;
  address: RouteAddress;
  shown: DiscussionsShown;
  allowed: Allowed;
}

function reviewOf(reviewed: Reviewed): FileReview {
  const { file, number, refs, address, shown, allowed } = reviewed;
  const mayWrite = refs !== undefined && allowed.comments;
  const threads = (shown.threads ?? []).filter(({ notes }) => {
    const position = notes[0]?.note.position;
    return position?.new_path === file.new_path || position?.old_path === file.old_path;
  });
  const askedLine = mayWrite ? askedLineOf(file, number, address) : 'none';
  return {
    hrefOf: (line) => (mayWrite && line.kind !== 'hunk' ? hrefOf(line, number, address) : undefined),
    below(line) {
      const own = threads.filter(({ notes }) => isAt(notes[0]?.note.position, line));
      const isAsked = typeof askedLine === 'object' && isSame(line, askedLine);
      if (own.length === 0 && !isAsked) return null;
      return (
        <>
          {own.map((thread) => (
            <Thread key={thread.id} visit={shown.visit} address={address} thread={thread} allowed={allowed} />
          ))}
          {isAsked && refs && <LineForm visit={shown.visit} address={address} file={file} line={line} refs={refs} />}
        </>
      );
    },
    end: mayWrite && file.diff !== '' && <LineChoice number={number} address={address} isMissing={!askedLine} />,
  };
}

/** Whether a position is that of the line; one in an unchanged line has both numbers. */
const isAt = (position: Partial<NotePosition> | null | undefined, { kind, old, now }: ChangedLine): boolean =>
  position?.new_line == null
    ? kind === 'del' && position?.old_line === old
    : kind !== 'del' && kind !== 'hunk' && position.new_line === now;

const isSame = (one: ChangedLine, other: ChangedLine): boolean =>
  one.kind === other.kind && one.old === other.old && one.now === other.now;

/** `?at=3n&line=12`: line 12 of the new text of the fourth file of the page; `3o` of the old text. */
function hrefOf({ kind, old, now }: ChangedLine, number: number, address: RouteAddress): string {
  const page = pageOf(address);
  const line = kind === 'del' ? `at=${number}o&line=${old}` : `at=${number}n&line=${now}`;
  return `?${page > 1 ? `page=${page}&` : ''}${line}#write`;
}

/** The line of a file that the address names; `none` if it names none, undefined if it is not shown. */
function askedLineOf(file: FileDiff, number: number, { query }: RouteAddress): ChangedLine | 'none' | undefined {
  const [of, side] = [query.get('at')?.slice(0, -1), query.get('at')?.slice(-1)];
  if (of !== String(number)) return 'none';
  const asked = Number(query.get('line'));
  return changedLines(file).lines.find(({ kind, old, now }) => {
    if (kind === 'hunk') return false;
    return side === 'o' ? kind !== 'add' && old === asked : kind !== 'del' && now === asked;
  });
}

interface LineFormProps {
  visit: Visit;
  address: RouteAddress;
  file: FileDiff;
  line: ChangedLine;
  refs: Refs;
}

const LineForm = ({ visit, address, file, line: { kind, old, now }, refs }: LineFormProps) => (
  <div id="write">
    <Form visit={visit} address={address} name="line-comment">
      {Object.entries(refs).map(([name, sha]) => (
        <Given key={name} name={name} value={sha} />
      ))}
      <Given name="old_path" value={file.old_path} />
      <Given name="new_path" value={file.new_path} />
      {kind !== 'add' && <Given name="old_line" value={String(old)} />}
      {kind !== 'del' && <Given name="new_line" value={String(now)} />}
      <TextArea name="body" label={`Comment on line ${kind === 'del' ? old : now}`} hint="Markdown" rows={5} required />
      <button type="submit">Comment</button>
    </Form>
  </div>
);

/** Another way to the form of a line, for the keyboard. @param isMissing whether the chosen line is not shown */
const LineChoice = ({ number, address, isMissing }: { number: number; address: RouteAddress; isMissing: boolean }) => {
  const [side, line] = [`at-${number}`, `line-${number}`];
  return (
    <details open={isMissing}>
      <summary class="quiet">Comment on a line</summary>
      <form action="#write">
        {isMissing && <Notice>These changes do not show that line.</Notice>}
        {pageOf(address) > 1 && <Hidden name="page" value={String(pageOf(address))} />}
        <label for={side}>Text</label>
        <select id={side} name="at">
          <option value={`${number}n`}>new</option>
          <option value={`${number}o`}>old</option>
        </select>
        <label for={line}>Line</label>
        <input id={line} name="line" type="number" min={1} required />
        <button type="submit">Write</button>
      </form>
    </details>
  );
};

/** The fields of a position, of which a form sends those that the line has. */
const positionFields = ['base_sha', 'start_sha', 'head_sha', 'old_path', 'new_path', 'old_line', 'new_line'];

export const reviewForms: Readonly<Record<string, TakeForm<ProjectRef>>> = {
  ...mergeRequestDiscussionForms('/diffs'),
  async 'line-comment'(visit, project, address, sent) {
    const fields = positionFields.map((name) => [name, sent.given(name)]).filter(([, text]) => text !== '');
    const made = await visit.submit(createMergeRequestDiscussion, {
      ...mergeRequestAt(project, address),
      body: sent.text('body'),
      position: { position_type: 'text', ...Object.fromEntries(fields) },
    });
    const page = pageOf(address);
    const [note] = 'notes' in made ? made.notes : [];
    return `${pathOfMergeRequest(project, address, '/diffs')}${page > 1 ? `?page=${page}` : ''}${note ? `#note_${note.id}` : ''}`;
  },
};
