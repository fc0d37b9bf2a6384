import {
  Access,
  type AccessLevel,
  type Caller,
  createGroupMilestone,
  createIssue,
  createIssueNote,
  createMergeRequest,
  createMergeRequestNote,
  createProjectMilestone,
  createProjectSnippet,
  createSnippet,
  type ProjectRef,
  searchGroupIssues,
  searchGroupMergeRequests,
  searchGroupMilestones,
  searchIssues,
  searchMergeRequests,
  searchMilestones,
  searchProjectIssues,
  searchProjectMergeRequests,
  searchProjectMilestones,
  searchProjectNotes,
  searchSnippetTitles,
  updateIssue,
} from '@moothall/contracts';
import { shareBetweenTests } from '@moothall/testing';
import { MergeRequestWorld } from './merge-request-world';

const git = shareBetweenTests(() => MergeRequestWorld.start());
const { None, Guest, Reporter, Developer, Owner } = Access;

/** A word that nothing else in the database contains. */
const rareWord = () => `rare${Math.random().toString(36).slice(2, 12)}`;

const titles = (page: { items: { title: string }[] }) => page.items.map(({ title }) => title).sort();
const by = (caller: Caller) => ({ requestId: 'test', caller });

/** A private project with members of each level, and a user without membership. */
function place() {
  const { world } = git;
  const project = git.project();
  const join = (level: AccessLevel) => {
    const user = world.user();
    if (level > None) world.join(user, project, level);
    return user;
  };
  const people = { author: join(Developer), guest: join(Guest), reporter: join(Reporter), outsider: join(None) };
  return { world, project, ...people, word: rareWord() };
}

describe('issues', () => {
  it('are found by words of title and description, everywhere and in a project, by users who see them', async () => {
    const { world, project, author, guest, reporter, outsider, word } = place();
    const open = (input: object) => world.inProject(createIssue, project, author, Reporter, { title: word, ...input });
    await open({ title: `About ${word}` });
    await open({ title: 'In the text', description: `has ${word.toUpperCase()} inside` });
    await open({ title: `Hidden ${word}`, confidential: true });
    const { iid } = await open({ title: `Done ${word}` });
    await world.inProject(updateIssue, project, author, Reporter, { issue_iid: iid, state_event: 'close' });

    const everywhere = async (caller: Caller, input: object = {}) =>
      titles(await world.call(searchIssues, { scope: 'issues', search: word, ...input }, by(caller)));
    const shownToGuests = [`About ${word}`, `Done ${word}`, 'In the text'];
    expect(await everywhere(guest)).toEqual(shownToGuests);
    expect(await everywhere(reporter)).toEqual([...shownToGuests, `Hidden ${word}`].sort());
    expect(await everywhere(author, { confidential: true })).toEqual([`Hidden ${word}`]);
    expect(await everywhere(outsider)).toEqual([]);
    expect(await everywhere(world.user({ isAdmin: true }))).toHaveLength(4);
    expect(await everywhere(guest, { fields: ['title'] })).toEqual([`About ${word}`, `Done ${word}`]);
    expect(await everywhere(guest, { state: 'closed' })).toEqual([`Done ${word}`]);
    expect(await everywhere(guest, { state: 'merged' })).toEqual(shownToGuests);
    expect(await everywhere(guest, { search: `${word} text` })).toEqual(['In the text']);
    expect(await everywhere(guest, { search: `${word}.*` })).toEqual([]);

    const inProject = async (caller: Caller, level: AccessLevel, search: string) =>
      titles(await world.inProject(searchProjectIssues, project, caller, level, { scope: 'issues', search }));
    expect(await inProject(guest, Guest, word)).toEqual(shownToGuests);
    expect(await inProject(reporter, Reporter, `#${iid}`)).toEqual([`Done ${word}`]);
  });

  it('have the requested order and pages', async () => {
    const { world, project, author, word } = place();
    for (const title of ['a', 'b', 'c'])
      await world.inProject(createIssue, project, author, Reporter, { title: `${title} ${word}` });
    const find = async (input: object) => {
      const { items, total } = await world.call(searchIssues, { scope: 'issues', search: word, ...input }, by(author));
      return [items.map(({ title }) => title.slice(0, 1)).join(''), total];
    };
    expect(await find({})).toEqual(['cba', 3]);
    expect(await find({ sort: 'asc', per_page: 2 })).toEqual(['ab', 3]);
    expect(await find({ sort: 'asc', per_page: 2, page: 2 })).toEqual(['c', 3]);
  });

  it('of archived projects are excluded by default, also in groups', async () => {
    const { world, author, word } = place();
    const group = world.group();
    const made = async (over: Partial<ProjectRef>) => {
      const project = world.project({ visibility: 'private', groupIds: [group.id], ...over });
      world.join(author, project, Developer);
      await world.inProject(createIssue, { ...project, isArchived: false }, author, Reporter, {
        title: `${word} ${project.isArchived}`,
      });
    };
    await made({});
    await made({ isArchived: true });
    const find = async (input: object) =>
      titles(
        await world.inGroup(searchGroupIssues, group, author, Developer, { scope: 'issues', search: word, ...input }),
      );
    expect(await find({})).toEqual([`${word} false`]);
    expect(await find({ include_archived: true })).toEqual([`${word} false`, `${word} true`]);
  });
});

describe('merge requests', () => {
  it('are found by users who read the code', async () => {
    const { world, project, author, guest, reporter, outsider, word } = place();
    const { iid } = await world.inProject(createMergeRequest, project, author, Developer, {
      title: `Merge ${word}`,
      source_branch: 'feature',
      target_branch: 'main',
    });
    const everywhere = async (caller: Caller, input: object = {}) =>
      titles(await world.call(searchMergeRequests, { scope: 'merge_requests', search: word, ...input }, by(caller)));
    expect(await everywhere(reporter)).toEqual([`Merge ${word}`]);
    expect(await everywhere(reporter, { state: 'merged' })).toEqual([]);
    expect(await everywhere(guest)).toEqual([]);
    expect(await everywhere(outsider)).toEqual([]);
    const input = { scope: 'merge_requests', search: `!${iid}` };
    expect(titles(await world.inProject(searchProjectMergeRequests, project, reporter, Reporter, input))).toEqual([
      `Merge ${word}`,
    ]);
    const group = world.group();
    const found = await world.inGroup(searchGroupMergeRequests, group, reporter, Reporter, { ...input, search: word });
    expect(found.items).toEqual([]);
  });
});

describe('milestones', () => {
  it('are found in readable projects, and in the group itself', async () => {
    const { world, author, outsider, word } = place();
    const group = world.group();
    const project = world.project({ visibility: 'private', groupIds: [group.id] });
    world.join(author, project, Developer);
    await world.inProject(createProjectMilestone, project, author, Developer, { title: `Of project ${word}` });
    await world.inGroup(createGroupMilestone, group, author, Developer, { title: `Of group ${word}` });
    const input = { scope: 'milestones', search: word };
    const everywhere = async (caller: Caller) => titles(await world.call(searchMilestones, input, by(caller)));
    expect(await everywhere(author)).toEqual([`Of project ${word}`]);
    expect(await everywhere(outsider)).toEqual([]);
    expect(await everywhere(world.user({ isAdmin: true }))).toEqual([`Of project ${word}`]);
    const inGroup = async (caller: Caller) =>
      titles(await world.inGroup(searchGroupMilestones, group, caller, Guest, input));
    expect(await inGroup(author)).toEqual([`Of group ${word}`, `Of project ${word}`]);
    expect(await inGroup(outsider)).toEqual([`Of group ${word}`]);
    expect(titles(await world.inProject(searchProjectMilestones, project, author, Guest, input))).toEqual([
      `Of project ${word}`,
    ]);
  });

  it('of projects that have neither issues nor merge requests are not found', async () => {
    const { world, author, word } = place();
    const closed = { issues: 'disabled', merge_requests: 'disabled' } as const;
    const project = world.project({ visibility: 'public' });
    world.join(author, project, Developer);
    await world.inProject(createProjectMilestone, project, author, Developer, { title: word });
    const find = async () =>
      titles(await world.call(searchMilestones, { scope: 'milestones', search: word }, by(world.user())));
    expect(await find()).toEqual([word]);
    project.features = { ...project.features, ...closed };
    expect(await find()).toEqual([]);
    project.features = { ...project.features, merge_requests: 'enabled' };
    expect(await find()).toEqual([word]);
  });
});

describe('snippets', () => {
  it('are found by title if the caller sees them', async () => {
    const { world, project, author, guest, outsider, word } = place();
    const personal = (visibility: 'private' | 'internal' | 'public') =>
      world.call(
        createSnippet,
        { title: `${visibility} ${word}`, file_name: 'a', content: word, visibility },
        by(author),
      );
    for (const visibility of ['private', 'internal', 'public'] as const) await personal(visibility);
    const inProject = { title: `project ${word}`, file_name: 'a', content: 'x', visibility: 'private' as const };
    await world.inProject(createProjectSnippet, project, author, Developer, inProject);
    const find = async (caller: Caller, search = word) =>
      titles(await world.call(searchSnippetTitles, { scope: 'snippet_titles', search }, by(caller)));
    expect(await find(author)).toEqual([`internal ${word}`, `private ${word}`, `project ${word}`, `public ${word}`]);
    expect(await find(guest)).toEqual([`internal ${word}`, `project ${word}`, `public ${word}`]);
    expect(await find(outsider)).toEqual([`internal ${word}`, `public ${word}`]);
    expect(await find(world.user({ isExternal: true }))).toEqual([`public ${word}`]);
    expect(await find(world.user({ isAdmin: true }))).toHaveLength(4);
    expect(await find(author, `${word} public`)).toEqual([`public ${word}`]);
  });
});

describe('notes', () => {
  it('are found by users who see their record, and internal ones by users who may', async () => {
    const { world, project, author, guest, reporter, word } = place();
    const issue = (input: object) =>
      world.inProject(createIssue, project, author, Reporter, { title: 'An issue', ...input });
    const [plain, hidden] = [await issue({}), await issue({ confidential: true })];
    const say = (issue_iid: number, body: string, input: object = {}) =>
      world.inProject(createIssueNote, project, author, Reporter, { issue_iid, body: `${body} ${word}`, ...input });
    await say(plain.iid, 'first');
    await say(hidden.iid, 'secret');
    await say(plain.iid, 'inside', { confidential: true });
    const request = await world.inProject(createMergeRequest, project, author, Developer, {
      title: 'Merge',
      source_branch: 'feature',
      target_branch: 'main',
    });
    const onRequest = { merge_request_iid: request.iid, body: `review ${word}` };
    await world.inProject(createMergeRequestNote, project, author, Developer, onRequest);

    const find = async (caller: Caller, level: AccessLevel, search = word, input: object = {}) => {
      const asked = { scope: 'notes', search, ...input };
      const { items, total } = await world.inProject(searchProjectNotes, project, caller, level, asked);
      return { found: items.map(({ body }) => body.split(' ')[0]), total };
    };
    expect(await find(reporter, Reporter)).toEqual({ found: ['review', 'inside', 'secret', 'first'], total: 4 });
    expect(await find(author, Owner)).toMatchObject({ total: 4 });
    expect(await find(guest, Guest)).toEqual({ found: ['first'], total: 1 });
    expect(await find(reporter, Reporter, `${word} REVIEW`)).toMatchObject({ found: ['review'] });
    expect(await find(reporter, Reporter, word, { per_page: 2, page: 2 })).toEqual({
      found: ['secret', 'first'],
      total: 4,
    });
    expect(await find(reporter, Reporter, '.*')).toEqual({ found: [], total: 0 });
    // System notes are not searched.
    expect(await find(reporter, Reporter, 'made the issue')).toEqual({ found: [], total: 0 });
  });

  it('of one project are not found in others', async () => {
    const { world, project, author, word } = place();
    const other = git.project();
    world.join(author, other, Developer);
    const { iid } = await world.inProject(createIssue, other, author, Reporter, { title: 'Elsewhere' });
    await world.inProject(createIssueNote, other, author, Reporter, { issue_iid: iid, body: word });
    const input = { scope: 'notes', search: word };
    expect((await world.inProject(searchProjectNotes, project, author, Developer, input)).items).toEqual([]);
    expect((await world.inProject(searchProjectNotes, other, author, Developer, input)).items).toHaveLength(1);
  });
});
