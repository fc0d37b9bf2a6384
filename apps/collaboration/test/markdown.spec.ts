import {
  Access,
  type Caller,
  contentErrors,
  createIssue,
  createProjectLabel,
  getCommit,
  type ProjectRef,
  projectErrors,
  renderMarkdown,
  renderMarkdownTexts,
  resolveProject,
  userIdsByUsername,
} from '@moothall/contracts';
import { callerNamed, contextOf } from '@moothall/testing';
import { MergeRequestWorld } from './merge-request-world';

const { Guest, Reporter, Maintainer } = Access;
const sha = '1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0d';

let git: MergeRequestWorld;
beforeAll(async () => {
  git = await MergeRequestWorld.start();
  const { service, projects } = git.world;
  service.respond(resolveProject, ({ project, user_id }) => {
    const found = [...projects.values()].find(({ fullPath, id }) => [fullPath, String(id)].includes(project));
    if (!found) return projectErrors.notFound();
    return { project: { ...found, accessLevel: git.levelOf(user_id, found.id) }, redirected: false };
  });
  service.respond(getCommit, (input) =>
    sha.startsWith(input.sha)
      ? ({ id: sha, short_id: sha.slice(0, 8), title: 'Mend it' } as never)
      : contentErrors.commitNotFound(),
  );
});
afterAll(() => git?.stop());

async function html(text: string, caller: Caller | undefined, project?: ProjectRef, gfm = true): Promise<string> {
  const asked = { text, gfm, ...(project && { project: project.fullPath }) };
  return (await git.world.service.client.call(renderMarkdown, asked, contextOf(caller ? { caller } : {}))).html;
}
const linksIn = (made: string) => [...made.matchAll(/<a href="([^"]*)"[^>]*>([^<]*)<\/a>/g)].map(([, , text]) => text);

describe('a text', () => {
  it('is rendered for anybody, with links only on request', async () => {
    expect(await html('*a* #1', undefined, undefined, false)).toBe('<p><em>a</em> #1</p>\n');
    expect(await html('', undefined)).toBe('');
  });

  it('is refused if rendering takes too long, without delay for others', async () => {
    const heavy = `[a]: http://x.example/${'y'.repeat(50_000)}\n\n${'[a] '.repeat(100_000)}`;
    const refused = html(heavy, undefined);
    await expect(html('**b**', callerNamed('other'))).resolves.toContain('<strong>');
    await expect(refused).rejects.toMatchObject({ code: 'markdown.too_much' });
  }, 60_000);

  it('of several is rendered beside one that takes too long, and with relative links of files', async () => {
    const project = git.project({ visibility: 'public' });
    const heavy = `[a]: http://x.example/${'y'.repeat(50_000)}\n\n${'[a] '.repeat(100_000)}`;
    const context = contextOf({ project, caller: callerNamed('reader') });
    const rendered = (texts: string[], relative?: { folder: string; links: string; images: string }) =>
      git.world.service.client.call(renderMarkdownTexts, { id: String(project.id), texts, relative }, context);
    expect(await rendered(['*a*', heavy, ''])).toEqual(['<p><em>a</em></p>\n', null, '']);
    const [linked] = await rendered(['[a](b.md)'], { folder: 'c', links: '/p/-/blob/main', images: '/p/-/raw/main' });
    expect(linked).toContain('href="/p/-/blob/main/c/b.md"');
    expect(await rendered(['[a](b.md)'])).toEqual([expect.stringContaining('href="b.md"')]);
  }, 60_000);

  it('of a long discussion is rendered, also in several requests at once', async () => {
    const project = git.project({ visibility: 'public' });
    const context = contextOf({ project, caller: callerNamed('reader') });
    const requests = Array.from({ length: 5 }, (_, at) =>
      Array.from({ length: 100 }, (_, number) => `*${at} ${number}*`),
    );
    const id = String(project.id);
    const answers = await Promise.all(
      requests.map((texts) => git.world.service.client.call(renderMarkdownTexts, { id, texts }, context)),
    );
    expect(answers).toEqual(requests.map((texts) => texts.map((text) => `<p><em>${text.slice(1, -1)}</em></p>\n`)));
  });

  it.each([
    ['quotes', '> '.repeat(20_000)],
    ['lists', '- '.repeat(20_000)],
    ['brackets', '['.repeat(100_000)],
    ['stars', '*a **b '.repeat(20_000)],
    ['HTML', '<b>'.repeat(100_000)],
    ['tables', `|${'a|'.repeat(1000)}\n|${'-|'.repeat(1000)}\n${'|'.repeat(20_000)}`],
  ])(
    'that nests or repeats %s without end is answered or refused',
    async (_what, text) => {
      const outcome = await html(text, undefined).catch(({ code }: { code: string }) => code);
      expect(outcome === 'markdown.too_much' || outcome.includes('<')).toBe(true);
    },
    30_000,
  );
});

describe('a reference', () => {
  it('links to records that the reader may see, and is text otherwise', async () => {
    const { world } = git;
    const project = git.project({ visibility: 'public' });
    const author = git.member(project, Reporter);
    const guest = git.member(project, Guest);
    await world.inProject(createIssue, project, author, Reporter, { title: 'Open <one>' });
    await world.inProject(createIssue, project, author, Reporter, { title: 'Secret', confidential: true });
    await world.inProject(createProjectLabel, project, author, Maintainer, { name: 'needs work', color: '#112233' });
    world.service.respond(userIdsByUsername, () => [{ id: author.id, username: author.username }]);
    const text = `#1 #2 #3 @${author.username} @nobody ~"needs work" ~other ${sha.slice(0, 9)} abcdef0`;
    expect(linksIn(await html(text, author, project))).toEqual([
      '#1',
      '#2',
      `@${author.username}`,
      'needs work',
      sha.slice(0, 8),
    ]);
    expect(linksIn(await html(text, guest, project))).not.toContain('#2');
    const anonymous = await html(text, undefined, project);
    expect(linksIn(anonymous)).toEqual(['#1', 'needs work', sha.slice(0, 8)]);
    expect(anonymous).toContain('title="Open &lt;one&gt;"');
    expect(anonymous).not.toContain('Secret');
  });

  it('names other projects by their paths, of those that its reader may see', async () => {
    const hidden = git.project({ visibility: 'private' });
    const member = git.member(hidden, Reporter);
    await git.world.inProject(createIssue, hidden, member, Reporter, { title: 'Inside' });
    const text = `${hidden.fullPath}#1 #1`;
    expect(linksIn(await html(text, member))).toEqual([`${hidden.fullPath}#1`]);
    expect(linksIn(await html(text, callerNamed('stranger')))).toEqual([]);
    await expect(html('x', callerNamed('stranger'), hidden)).rejects.toMatchObject({ code: 'common.not_found' });
  });
});
