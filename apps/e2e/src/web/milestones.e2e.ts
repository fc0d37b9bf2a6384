import { PageVisitor } from '../identity/page-visitor';
import { root, uniqueName } from '../server/connection';

/* Pages of milestones of projects and groups: their dates, their work and their burndown. */

const evil = `"><script>alert(1)</script>`;
const visitor = new PageVisitor();
let base: string;
let groupBase: string;
let id: number;
let milestoneId: number;

beforeAll(async () => {
  const path = uniqueName('planned');
  const group = await root.Groups.create(path, path, { visibility: 'public' });
  groupBase = `/groups/${group.full_path}`;
  const project = await root.Projects.create({
    ...{ name: 'Tool', path: 'tool', namespaceId: group.id, visibility: 'public', initializeWithReadme: true },
  });
  base = `/${project.path_with_namespace}`;
  id = project.id;
  const description = `**bold** ${evil} and ${project.path_with_namespace}#1`;
  const dates = { startDate: '2020-01-01', dueDate: '2090-06-05' };
  const made = await root.ProjectMilestones.create(id, `First ${evil}`, { description, ...dates });
  milestoneId = made.id;
  const second = await root.ProjectMilestones.create(id, 'Second');
  await root.ProjectMilestones.edit(id, second.id, { stateEvent: 'close' });
  const ofGroup = await root.GroupMilestones.create(group.id, `Shared ${evil}`, { description });
  await root.Issues.create(id, `One ${evil}`, { milestoneId, createdAt: '2020-01-01T10:00:00Z' });
  await root.Issues.create(id, 'Two', { milestoneId, createdAt: '2020-01-01T20:00:00Z' });
  await root.Issues.create(id, 'Three', { milestoneId, createdAt: '2020-01-03T10:00:00Z' });
  await root.Issues.create(id, 'Secret', { milestoneId, createdAt: '2020-01-03T10:00:00Z', confidential: true });
  await root.Issues.edit(id, 2, { stateEvent: 'close' });
  await root.Issues.create(id, 'For all', { milestoneId: ofGroup.id });
  await root.Branches.create(id, 'topic', 'main');
  await root.RepositoryFiles.create(id, 'a.txt', 'topic', 'one', 'add a.txt');
  await root.MergeRequests.create(id, 'topic', 'main', `Change ${evil}`, { milestoneId });
});

const open = async (address: string) => {
  const response = await visitor.load(address);
  return { status: response.status, text: await response.text() };
};
const milestonesIn = (text: string) =>
  [...text.matchAll(/<li><p><a href="([^"]*\/-\/milestones\/\d+)"/g)].map(([, href]) => href);

describe('the milestones of a project', () => {
  it.each([
    ['', ['/tool/-/milestones/1', '/-/milestones/1']],
    ['?state=closed', ['/tool/-/milestones/2']],
    ['?state=all&search=second', ['/tool/-/milestones/2']],
    ['?search=none', []],
    ['?page=2', []],
  ])('with %j are %j', async (query, endings) => {
    const { status, text } = await open(`${base}/-/milestones${query}`);
    const links = milestonesIn(text);
    expect([status, links.length]).toEqual([200, endings.length]);
    for (const [at, ending] of endings.entries()) expect(links[at]!.endsWith(ending)).toBe(true);
    for (const link of links) expect([link, (await open(link!)).status]).toEqual([link, 200]);
    expect(text).not.toContain('<script');
  });
});

describe('a milestone of a project', () => {
  it('has its text, dates, issues and merge requests', async () => {
    const { text } = await open(`${base}/-/milestones/1`);
    for (const words of [
      '<bdi>First &quot;>&lt;script>',
      '<strong>bold</strong>',
      '5 Jun 2090',
      `href="${base}/-/issues/1"`,
      `href="${base}/-/issues/2"`,
      `href="${base}/-/merge_requests/1"`,
    ])
      expect(text).toContain(words);
    expect(text).not.toContain('<script');
    expect(text).not.toContain('Secret');
  });

  it('has a burndown of the issues that the visitor sees', async () => {
    const { text } = await open(`${base}/-/milestones/1`);
    const rows = [...text.matchAll(/<tr><td><time[^>]*>([^<]*)<\/time><\/td><td>(\d+)<\/td><\/tr>/g)];
    expect(rows.slice(0, 2).map(([, day, count]) => [day, count])).toEqual([
      ['1 Jan 2020', '2'],
      ['3 Jan 2020', '3'],
    ]);
    expect(rows.at(-1)![2]).toBe('2');
    expect(text).toContain('at most 3 open issues, 2 after the last change.');
    expect(text).toMatch(/<svg [^>]*role="img" aria-label="Burndown chart">/);
    const { text: empty } = await open(`${base}/-/milestones/2`);
    expect(empty).not.toContain('<svg');
  });

  it('has pages of its issues', async () => {
    const { id: milestoneId, iid } = await root.ProjectMilestones.create(id, 'Much to do');
    for (let number = 1; number <= 21; number++) await root.Issues.create(id, `Task ${number}`, { milestoneId });
    const tasks = async (query: string) =>
      (await open(`${base}/-/milestones/${iid}${query}`)).text.match(/<bdi>Task \d+<\/bdi>/g) ?? [];
    const [one, two] = [await tasks(''), await tasks('?page=2')];
    expect([one.length, two.length, new Set([...one, ...two]).size]).toEqual([20, 1, 21]);
  });

  it('is the end of the link of an issue', async () => {
    expect((await open(`${base}/-/issues/1`)).text).toContain(`href="${base}/-/milestones/1"`);
    expect((await open(`${base}/-/issues/5`)).text).toContain(`href="${groupBase}/-/milestones/1"`);
  });

  it.each(['0', '99', 'x', '1e0', '-1', '9'.repeat(99)])('of number %j is not found', async (iid) => {
    for (const owner of [base, groupBase])
      expect([owner, (await open(`${owner}/-/milestones/${iid}`)).status]).toEqual([owner, 404]);
  });

  it('hides issues and merge requests from visitors who may not see them', async () => {
    await root.Projects.edit(id, { issuesAccessLevel: 'private', mergeRequestsAccessLevel: 'enabled' });
    const { status, text } = await open(`${base}/-/milestones/1`);
    expect([status, text.includes('<bdi>Two</bdi>'), text.includes('<svg')]).toEqual([200, false, false]);
    expect(text).toContain('<bdi>Change &quot;>');
    await root.Projects.edit(id, { issuesAccessLevel: 'enabled', mergeRequestsAccessLevel: 'enabled' });
  });
});

describe('a milestone of a group', () => {
  it('has its text, and the issues of its projects', async () => {
    const { text } = await open(`${groupBase}/-/milestones/1`);
    for (const words of ['<bdi>Shared &quot;>&lt;script>', '<strong>bold</strong>', `${base}/-/issues/1"`])
      expect(text).toContain(words);
    expect(text).toContain('<bdi>For all</bdi>');
    expect(text).not.toContain('<script');
  });

  it('is in the list of the group, which its page leads to', async () => {
    expect((await open(groupBase)).text).toContain(`href="${groupBase}/-/milestones"`);
    expect(milestonesIn((await open(`${groupBase}/-/milestones`)).text)).toEqual([`${groupBase}/-/milestones/1`]);
  });
});
