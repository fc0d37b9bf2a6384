import {
  Access,
  type AccessLevel,
  type Caller,
  createIssue,
  createIssueNote,
  getIssueNote,
  listIssueDiscussions,
  listIssueNotes,
  listMergeRequestNotes,
  type Note,
  type ProjectRef,
  projectErrors,
  pushReceived,
  resolveProject,
  updateIssue,
  updateIssueNote,
} from '@moothall/contracts';
import { eventually } from '@moothall/testing';
import { codeOf, MergeRequestWorld, shaOf } from './merge-request-world';

const { Guest, Reporter, Developer } = Access;

let git: MergeRequestWorld;
beforeAll(async () => {
  git = await MergeRequestWorld.start();
  git.world.service.respond(resolveProject, ({ project, user_id }) => {
    const found = [...git.world.projects.values()].find(({ fullPath }) => fullPath === project);
    if (!found) return projectErrors.notFound();
    return { project: { ...found, accessLevel: git.levelOf(user_id, found.id) }, redirected: false };
  });
});
afterAll(() => git?.stop());

const open = (project: ProjectRef, author: Caller, fields: object = {}) =>
  git.world.inProject(createIssue, project, author, Reporter, { title: 'An issue', ...fields });

const comment = (project: ProjectRef, user: Caller, issue_iid: number, body: string, fields: object = {}) =>
  git.world.inProject(createIssueNote, project, user, Reporter, { issue_iid, body, ...fields }) as Promise<Note>;

async function notesOn(project: ProjectRef, issue_iid: number, viewer: Caller, level: AccessLevel = Reporter) {
  const asked = { issue_iid, sort: 'asc' as const };
  return (await git.world.inProject(listIssueNotes, project, viewer, level, asked)).items;
}

const pushedCommit = {
  title: 'Mend it',
  timestamp: '2020-10-15T08:12:01+02:00',
  url: '',
  author: { name: 'A', email: 'a@example.com' },
  added: [],
  modified: [],
  removed: [],
};

/** Notes about mentions of an issue, once there are that many. */
async function mentionsOn(project: ProjectRef, iid: number, viewer: Caller, count: number): Promise<string[]> {
  const bodies = async () => (await notesOn(project, iid, viewer)).map(({ body }) => body);
  return eventually(async () => {
    const found = await bodies();
    return found.length >= count ? found : undefined;
  });
}

/** Texts are processed in order: once this one was processed, all earlier ones were. */
async function everythingRead(project: ProjectRef, author: Caller): Promise<void> {
  const { iid } = await open(project, author);
  await open(project, author, { description: `#${iid}` });
  await mentionsOn(project, iid, author, 1);
}

describe('a mention', () => {
  it('in the text of an issue, a note or a merge request is noted on its target', async () => {
    const project = git.project();
    const author = git.member(project);
    const { iid } = await open(project, author);
    const first = await open(project, author, { description: `See #${iid}.` });
    const second = await open(project, author, { title: `After #${iid}` });
    const third = await open(project, author);
    const { id } = await comment(project, author, third.iid, 'as in the other one');
    const edited = { issue_iid: third.iid, note_id: id, body: `as in #${iid}` };
    await git.world.inProject(updateIssueNote, project, author, Reporter, edited);
    const fourth = await open(project, author);
    await comment(project, author, fourth.iid, `!0 and #${iid}`);
    const mergeRequest = await git.open(project, author, { description: `For #${iid}` });
    expect((await mentionsOn(project, iid, author, 5)).sort()).toEqual(
      [
        `mentioned in issue #${first.iid}`,
        `mentioned in issue #${second.iid}`,
        `mentioned in issue #${third.iid}`,
        `mentioned in issue #${fourth.iid}`,
        `mentioned in merge request !${mergeRequest.iid}`,
      ].sort(),
    );
    const [note] = await notesOn(project, iid, author);
    expect(note).toMatchObject({ system: true, author: { id: author.id }, noteable_type: 'Issue' });
    await comment(project, author, iid, `!${mergeRequest.iid}`);
    const asked = { merge_request_iid: mergeRequest.iid };
    await eventually(async () => {
      const { items } = await git.world.inProject(listMergeRequestNotes, project, author, Developer, asked);
      return items.some(({ body }) => body === `mentioned in issue #${iid}`);
    });
  });

  it('is recorded once, however often it is written, and never on its own record', async () => {
    const project = git.project();
    const author = git.member(project);
    const { iid } = await open(project, author);
    const source = await open(project, author, { description: `#${iid} #${iid}` });
    const again = { issue_iid: source.iid, description: `#${iid} and #${iid + 1}, again` };
    await git.world.inProject(updateIssue, project, author, Reporter, again);
    await Promise.all([1, 2, 3].map(() => comment(project, author, source.iid, `#${iid}`)));
    await comment(project, author, iid, `#${iid}`);
    await everythingRead(project, author);
    const bodies = (await notesOn(project, iid, author)).filter(({ system }) => system).map(({ body }) => body);
    expect(bodies).toEqual([`mentioned in issue #${source.iid}`]);
  });

  it('in a commit is recorded once, however often it is pushed', async () => {
    const project = git.project();
    const author = git.member(project);
    const { iid } = await open(project, author);
    const [first, second] = [shaOf('first'), shaOf('second')];
    const push = (ref: string, user: Caller | null, id = first) =>
      git.world.service.emit(pushReceived, {
        project_id: project.id,
        user: user && { id: user.id, username: user.username, name: user.name, email: user.email },
        ref,
        ref_type: ref.startsWith('refs/tags/') ? 'tag' : 'branch',
        before: shaOf('before'),
        after: id,
        checkout_sha: id,
        message: null,
        default_branch: 'main',
        commits: [{ ...pushedCommit, id, message: `Mend it\n\nSee #${iid}` }],
        total_commits_count: 1,
      });
    for (const ref of ['refs/heads/a', 'refs/heads/main', 'refs/tags/v1']) await push(ref, author);
    await push('refs/heads/by-key', null, shaOf('of nobody'));
    await push('refs/heads/main', author, second);
    expect(await mentionsOn(project, iid, author, 2)).toEqual([
      `mentioned in commit ${first}`,
      `mentioned in commit ${second}`,
    ]);
  });

  it('from another project names it, and is visible to users who see that project', async () => {
    const [project, secret] = [git.project({ visibility: 'public' }), git.project({ visibility: 'private' })];
    const author = git.member(secret);
    git.join(author, project, Reporter);
    const { iid } = await open(project, author);
    const source = await open(secret, author, { description: `${project.fullPath}#${iid}` });
    const reference = `mentioned in issue ${secret.fullPath}#${source.iid}`;
    expect(await mentionsOn(project, iid, author, 1)).toEqual([reference]);
    const [note] = await notesOn(project, iid, author);
    const stranger = git.member(project, Reporter);
    expect(await notesOn(project, iid, stranger)).toEqual([]);
    const one = { issue_iid: iid, note_id: note!.id };
    expect(await codeOf(git.world.inProject(getIssueNote, project, stranger, Reporter, one))).toBe('common.not_found');
    const on = { issue_iid: iid };
    const { items } = await git.world.inProject(listIssueDiscussions, project, stranger, Reporter, on);
    expect(items).toEqual([]);
    git.join(stranger, secret, Reporter);
    expect((await notesOn(project, iid, stranger)).map(({ body }) => body)).toEqual([reference]);
  });

  it('in a confidential issue is visible to users who see that issue', async () => {
    const project = git.project({ visibility: 'public' });
    const author = git.member(project);
    const { iid } = await open(project, author);
    await open(project, author, { confidential: true, description: `#${iid}` });
    await mentionsOn(project, iid, author, 1);
    expect(await notesOn(project, iid, git.world.user(), Guest)).toEqual([]);
  });

  it('is recorded after mentions without a target', async () => {
    const project = git.project();
    const author = git.member(project);
    const { iid } = await open(project, author);
    const source = await open(project, author, { description: `no/such#1 bug#12 #${iid}` });
    expect(await mentionsOn(project, iid, author, 1)).toEqual([`mentioned in issue #${source.iid}`]);
  });

  it('in a confidential note, or to a record that its author does not see, is not noted', async () => {
    const [project, foreign] = [git.project(), git.project({ visibility: 'private' })];
    const [author, other] = [git.member(project, Guest), git.member(foreign)];
    git.join(other, project, Reporter);
    const hidden = await open(foreign, other);
    const confidential = await open(project, other, { confidential: true });
    const plain = await open(project, other);
    await open(project, author, {
      description: `${foreign.fullPath}#${hidden.iid} #${confidential.iid} no/such#1 #999`,
    });
    await comment(project, other, confidential.iid, `#${plain.iid}`, { confidential: true });
    await everythingRead(project, other);
    expect(await notesOn(foreign, hidden.iid, other)).toEqual([]);
    expect(await notesOn(project, confidential.iid, other)).toMatchObject([{ system: false }]);
    expect(await notesOn(project, plain.iid, other)).toEqual([]);
  });
});
