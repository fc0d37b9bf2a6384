import {
  deleteIssueNote,
  deleteMergeRequestNote,
  deleteSnippetNote,
  getIssueNote,
  getMergeRequestNote,
  getSnippetNote,
  type Note,
  type Operation,
  type ProjectRef,
  updateIssueNote,
  updateMergeRequestNote,
  updateSnippetNote,
} from '@moothall/contracts';
import { changesOf } from '../../forms/changes';
import { fitsTextArea, withLineEndsOf } from '../../forms/text-area';
import type { ProjectPage, RouteAddress } from '../../page/page';
import { ConfirmedAction } from '../../parts/confirmed-action';
import { Form, TextArea, Was } from '../../parts/form';
import { inProject } from '../../parts/in-project';
import { changeableNotes, recordOf } from '../../parts/note-address';
import { numberIn } from '../../parts/number-in';
import { pageOf } from '../../parts/paging';

/** Notes on one kind of record. */
interface Kind {
  /** Of the address: `issues` of `/issues/1/notes/5/edit`. */
  part: string;
  /** The parameter with the number of the record. */
  key: string;
  get: typeof getIssueNote | typeof getMergeRequestNote | typeof getSnippetNote;
  update: Operation;
  remove: Operation;
}

/** A form that changes a note, and one that deletes it. */
const editNotePage = ({ part, key, get, update, remove }: Kind): ProjectPage => {
  const noteAt = (project: ProjectRef, address: RouteAddress) => ({
    id: String(project.id),
    [key]: numberIn(address, 'of'),
    note_id: numberIn(address, 'note_id'),
  });
  return {
    at: `/${part}/:of/notes/:note_id/edit`,
    async show(visit, project, address) {
      const note = await visit.submit(get, noteAt(project, address));
      const mayChange = changeableNotes(visit, project);
      if (!mayChange(note)) return undefined;
      const isWhole = fitsTextArea(note.body);
      return inProject(visit, project, {
        title: 'Edit comment',
        body: (
          <>
            {!isWhole && <p class="dim">The text has characters that a browser cannot send back.</p>}
            {isWhole && (
              <Form visit={visit} address={address} name="note">
                <Was values={{ body: note.body }} />
                <TextArea name="body" label="Comment" hint="Markdown" rows={12} value={note.body} required />
                <button type="submit">Save</button>
                <a href={pathOfNote(project, address, note)}>Cancel</a>
              </Form>
            )}
            <ConfirmedAction
              visit={visit}
              address={address}
              name="delete"
              word="Delete comment"
              consequence="The comment is deleted."
            />
          </>
        ),
      });
    },
    forms: {
      note: async (visit, project, address, sent) => {
        const asked = noteAt(project, address);
        const note = await visit.submit(get, asked);
        const body = withLineEndsOf(note.body, sent.text('body'));
        if ('body' in changesOf(sent, { body }, { body: note.body })) await visit.submit(update, { ...asked, body });
        return pathOfNote(project, address, note);
      },
      delete: async (visit, project, address) => {
        const asked = noteAt(project, address);
        const note = await visit.submit(get, asked);
        await visit.submit(remove, asked);
        return pathOfPage(project, address, note);
      },
    },
  };
};

/** The page of the discussion that the visitor comes from. */
const pathOfPage = (project: ProjectRef, address: RouteAddress, note: Note): string => {
  const page = pageOf(address);
  return `${recordOf(project, note)}${page > 1 ? `?page=${page}` : ''}`;
};

const pathOfNote = (project: ProjectRef, address: RouteAddress, note: Note): string =>
  `${pathOfPage(project, address, note)}#note_${note.id}`;

export const editIssueNotePage = editNotePage({
  part: 'issues',
  key: 'issue_iid',
  get: getIssueNote,
  update: updateIssueNote,
  remove: deleteIssueNote,
});

export const editMergeRequestNotePage = editNotePage({
  part: 'merge_requests',
  key: 'merge_request_iid',
  get: getMergeRequestNote,
  update: updateMergeRequestNote,
  remove: deleteMergeRequestNote,
});

export const editSnippetNotePage = editNotePage({
  part: 'snippets',
  key: 'snippet_id',
  get: getSnippetNote,
  update: updateSnippetNote,
  remove: deleteSnippetNote,
});
