import { PageVisitor } from '../identity/page-visitor';
import { newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* Pages of issues and merge requests: what they show, and how they are filtered. */

const evil = `"><script>alert(1)</script>`;
const visitor = new PageVisitor();
let base: string;
let id: number;
let username: string;

beforeAll(async () => {
  const user = await newUser('reader');
  username = user.username;
  await visitor.signIn(user.username, user.password);
  const path = uniqueName('issues');
  const project = await root.Projects.create({ name: path, path, visibility: 'public', initializeWithReadme: true });
  base = `/${project.path_with_namespace}`;
  id = project.id;
  await root.Issues.create(id, `First ${evil}`, {
    description: `**bold** ${evil} and #2`,
    labels: `bug,${evil}`,
    assigneeIds: [user.id],
    dueDate: '2030-05-06',
  });
  await root.Issues.create(id, 'Second');
  await root.Issues.edit(id, 2, { stateEvent: 'close' });
});

const open = async (below: string) => {
  const response = await visitor.load(base + below);
  return { status: response.status, text: await response.text() };
};
const titles = (text: string) =>
  [...text.matchAll(/<li><p><a href="[^"]*\/-\/(?:issues|merge_requests)\/(\d+)"/g)].map(([, iid]) => iid);

describe('the issues of a project', () => {
  it.each([
    ['', ['1']],
    ['?state=closed', ['2']],
    ['?state=all', ['2', '1']],
    ['?state=unknown', ['1']],
    ['?search=first', ['1']],
    ['?search=none', []],
    ['?label_name=bug', ['1']],
    ['?label_name[]=bug&label_name[]=none', []],
    ['?assignee_username=root', []],
    ['?milestone_title=none', ['1']],
    ['?page=2', []],
  ])('with %j are %j', async (query, iids) => {
    const { status, text } = await open(`/-/issues${query}`);
    expect([status, titles(text)]).toEqual([200, iids]);
    expect(text).not.toContain('<script');
  });

  it('of an assignee are found', async () => {
    expect(titles((await open(`/-/issues?assignee_username=${username}`)).text)).toEqual(['1']);
  });
});

describe('an issue', () => {
  it('shows its people, labels and dates, and renders its description', async () => {
    const { text } = await open('/-/issues/1');
    for (const words of [
      '<strong>bold</strong>',
      'href="/root"',
      `href="/${username}"`,
      '6 May 2030',
      '<bdi>bug</bdi>',
    ])
      expect(text).toContain(words);
    expect(text).toMatch(/<a href="[^"]*\/-\/issues\/2"[^>]*>#2 \(closed\)<\/a>/);
    expect(text).not.toContain('<script');
  });

  it('shows notes on several pages', async () => {
    const { iid } = await root.Issues.create(id, 'Many notes');
    for (let number = 1; number <= 21; number++) await root.IssueNotes.create(id, iid, `Note **${number}** ${evil}`);
    const [one, two] = [await open(`/-/issues/${iid}`), await open(`/-/issues/${iid}?page=2`)];
    expect(one.text).toContain('Note <strong>20</strong>');
    expect(one.text).not.toContain('Note <strong>21</strong>');
    expect(two.text).toContain('Note <strong>21</strong>');
    expect(one.text).not.toContain('<script');
  });

  it('shows what was done', async () => {
    await until('the note about the state', async () => {
      const { text } = await open('/-/issues/2');
      return /class="system">.*closed/s.test(text);
    });
  });

  it('with a very long discussion shows its beginning', async () => {
    const { iid } = await root.Issues.create(id, 'Much to say');
    const discussion = await root.IssueDiscussions.create(id, iid, 'Begin');
    for (let number = 1; number <= 51; number++)
      await root.IssueDiscussions.addNote(id, iid, discussion.id, `Reply ${number}.`);
    const { text } = await open(`/-/issues/${iid}`);
    expect(text).toContain('Reply 49.');
    expect(text).not.toContain('Reply 50.');
    expect(text).toContain('2 more notes are not shown.');
  });

  it('with a very long note is cut', async () => {
    const { iid } = await root.Issues.create(id, 'Long', { description: `${'word '.repeat(9)}\n\n`.repeat(15_000) });
    const { status, text } = await open(`/-/issues/${iid}`);
    expect([status, text.includes('The rest of the text is not shown.')]).toEqual([200, true]);
    expect(text.length).toBeLessThan(200_000);
  });

  it.each(['0', '99', 'x', '1e0', '-1', '1.0', '9'.repeat(99)])('of number %j is not found', async (iid) => {
    expect((await open(`/-/issues/${iid}`)).status).toBe(404);
    expect((await open(`/-/merge_requests/${iid}`)).status).toBe(404);
  });
});

describe('a merge request', () => {
  beforeAll(async () => {
    await root.Branches.create(id, 'topic', 'main');
    await root.RepositoryFiles.create(id, 'a<b>.txt', 'topic', `one\n${evil}\n`, `add ${evil}`);
    const request = await root.MergeRequests.create(id, 'topic', 'main', `Change ${evil}`, {
      description: `See #1 ${evil}`,
      labels: 'bug',
    });
    const { base_sha, head_sha, start_sha } = (await root.MergeRequests.show(id, request.iid)).diff_refs;
    await root.MergeRequestDiscussions.create(id, request.iid, `On the line ${evil}`, {
      position: {
        ...{ baseSha: base_sha, headSha: head_sha, startSha: start_sha, positionType: 'text' },
        ...{ newPath: 'a<b>.txt', oldPath: 'a<b>.txt', newLine: '2' },
      },
    } as never);
  });

  it('shows its branches, its discussions and where they are', async () => {
    const { text } = await open('/-/merge_requests/1');
    for (const words of [
      '<bdi>topic</bdi>',
      'href="/root"',
      'On the line',
      '<bdi>a&lt;b>.txt:2</bdi>',
      'Merge status:',
    ])
      expect(text).toContain(words);
    expect(text).not.toContain('<script');
  });

  it('has pages of its commits and of its changes', async () => {
    const [commits, changes] = [await open('/-/merge_requests/1/commits'), await open('/-/merge_requests/1/diffs')];
    expect(commits.text).toContain('<bdi>add &quot;>&lt;script>');
    expect(changes.text).toContain('<i>2</i></a>+&quot;>&lt;script>');
    for (const { text } of [commits, changes]) expect(text).not.toContain('<script');
  });

  it('is found by state and label', async () => {
    expect(titles((await open('/-/merge_requests?label_name=bug')).text)).toEqual(['1']);
    expect(titles((await open('/-/merge_requests?state=merged')).text)).toEqual([]);
  });
});
