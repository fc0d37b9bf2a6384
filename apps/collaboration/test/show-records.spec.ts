import {
  Access,
  type Caller,
  createIssue,
  createIssueNote,
  createMergeRequest,
  createMergeRequestNote,
  deleteIssue,
  showRecords,
} from '@moothall/contracts';
import { shareBetweenTests } from '@moothall/testing';
import { MergeRequestWorld } from './merge-request-world';

const git = shareBetweenTests(() => MergeRequestWorld.start());
const { Guest, Reporter, Developer, Owner } = Access;

/** A private project with an issue, a confidential one, a merge request, and comments on each. */
async function place() {
  const { world } = git;
  const [project, author] = [git.project(), world.user()];
  world.join(author, project, Developer);
  const open = (input: object) => world.inProject(createIssue, project, author, Reporter, { title: 'Open', ...input });
  const [plain, hidden] = [await open({}), await open({ title: 'Hidden', confidential: true })];
  const request = await world.inProject(createMergeRequest, project, author, Developer, {
    title: 'Merge',
    source_branch: 'feature',
    target_branch: 'main',
  });
  const say = (issue_iid: number, input: object = {}) =>
    world.inProject(createIssueNote, project, author, Reporter, { issue_iid, body: 'Hello', ...input });
  const notes = [await say(plain.iid), await say(hidden.iid), await say(plain.iid, { confidential: true })];
  const onRequest = await world.inProject(createMergeRequestNote, project, author, Developer, {
    merge_request_iid: request.iid,
    body: 'Hello',
  });
  const ids = {
    issue_ids: [plain.id, hidden.id],
    merge_request_ids: [request.id],
    note_ids: [...notes, onRequest].map((note) => (note as { id: number }).id),
  };
  const seenBy = async (caller: Caller | undefined) => {
    const shown = await world.call(showRecords, ids, { requestId: 'test', caller });
    return {
      issues: shown.issues.map(({ title }) => title).sort(),
      merge_requests: shown.merge_requests.map(({ title }) => title),
      notes: shown.notes.map((note) => `${note.noteable_title}${note.confidential ? ' *' : ''}`).sort(),
    };
  };
  return { project, author, plain, seenBy };
}

const nothing = { issues: [], merge_requests: [], notes: [] };
const everything = {
  issues: ['Hidden', 'Open'],
  merge_requests: ['Merge'],
  notes: ['Hidden', 'Merge', 'Open', 'Open *'],
};

describe('records that another service shows', () => {
  it('are those that its caller sees', async () => {
    const { project, author, seenBy } = await place();
    const [guest, reporter, stranger] = [git.world.user(), git.world.user(), git.world.user()];
    git.world.join(guest, project, Guest);
    git.world.join(reporter, project, Reporter);
    expect(await seenBy(stranger)).toEqual(nothing);
    expect(await seenBy(undefined)).toEqual(nothing);
    expect(await seenBy(guest)).toEqual({ issues: ['Open'], merge_requests: [], notes: ['Open'] });
    expect(await seenBy(reporter)).toEqual(everything);
    expect(await seenBy(author)).toEqual(everything);
    expect(await seenBy(git.world.user({ isAdmin: true }))).toEqual(everything);
  });

  it('do not contain deleted ones', async () => {
    const { project, author, plain, seenBy } = await place();
    await git.world.inProject(deleteIssue, project, author, Owner, { issue_iid: plain.iid });
    expect(await seenBy(author)).toMatchObject({ issues: ['Hidden'], notes: ['Hidden', 'Merge'] });
  });
});
