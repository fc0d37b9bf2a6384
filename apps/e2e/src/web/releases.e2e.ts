import { createHash } from 'node:crypto';
import { PageVisitor } from '../identity/page-visitor';
import { ask, newUser, root, uniqueName } from '../server/connection';

/* Pages of releases: what they show of a release, and what they leave out. */

const evil = `"><script>alert(1)</script>`;
const visitor = new PageVisitor();
let base: string;
let id: number;

beforeAll(async () => {
  const path = uniqueName('released');
  const project = await root.Projects.create({ name: path, path, visibility: 'public', initializeWithReadme: true });
  base = `/${project.path_with_namespace}`;
  id = project.id;
  await root.ProjectMilestones.create(id, `First ${evil}`);
  await root.ProjectReleases.create(id, {
    tagName: 'v1.0/a',
    ref: 'main',
    name: `One ${evil}`,
    description: `**bold** ${evil}`,
    milestones: [`First ${evil}`],
    assets: {
      links: Array.from({ length: 21 }, (_, at) => ({ name: `${evil} ${at}`, url: `https://example.com/?${at}` })),
    },
  });
  await root.ProjectReleases.createEvidence(id, 'v1.0/a');
});

const open = async (below: string) => {
  const response = await visitor.load(base + below);
  return { status: response.status, text: await response.text() };
};
const assetsIn = (text: string) => [...text.matchAll(/href="https:\/\/example\.com\/\?(\d+)"/g)].map(([, at]) => at);

describe('a release', () => {
  it.each(['/-/releases/v1.0/a', '/-/releases/v1.0%2Fa'])(
    'at %s has its text, tag, author and milestones',
    async (at) => {
      const { status, text } = await open(at);
      expect(status).toBe(200);
      for (const words of [
        '<bdi>One &quot;>&lt;script>',
        '<strong>bold</strong>',
        `href="${base}/-/tags/v1.0/a"`,
        `href="${base}/-/milestones/1"`,
        `href="/root"`,
      ])
        expect(text).toContain(words);
      const [, archive] = /href="([^"]*\/-\/archive\/v1\.0\/a\/[^"]*\.zip)"/.exec(text)!;
      expect((await visitor.load(archive!)).headers.get('content-disposition')).toContain('-v1.0-a-');
      expect(text).toMatch(/<a href="[^"]*\/evidences\/1\.json"><code>[0-9a-f]{64}<\/code>/);
      expect(text).not.toContain('<script');
    },
  );

  it('has pages of its links', async () => {
    const [one, two] = [await open('/-/releases/v1.0/a'), await open('/-/releases/v1.0/a?page=2')];
    expect([assetsIn(one.text).length, assetsIn(two.text).length]).toEqual([20, 1]);
    expect(new Set([...assetsIn(one.text), ...assetsIn(two.text)]).size).toBe(21);
  });

  it.each(['v1.0', 'v1.0/b', 'none', 'a/'.repeat(3000)])('of tag %s is not found', async (tag) => {
    expect((await open(`/-/releases/${tag}`)).status).toBe(404);
  });

  it('has the file of its evidence, whose digest the API names, for browsers and programs', async () => {
    const { evidences } = (await root.ProjectReleases.show(id, 'v1.0/a')) as unknown as Release;
    const [{ sha, filepath }] = evidences as [Evidence];
    const { pathname } = new URL(filepath);
    const link = /href="([^"]*\/evidences\/[^"]*)"/.exec((await open('/-/releases/v1.0/a')).text)![1]!;
    for (const answer of [
      await visitor.load(link),
      await ask(pathname),
      await ask(`${base}/-/releases/v1.0/a/evidences/1.json`),
    ]) {
      const bytes = Buffer.from(await answer.arrayBuffer());
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha);
      expect(JSON.parse(bytes.toString()).release).toMatchObject({
        ...{ tag_name: 'v1.0/a', name: `One ${evil}`, description: `**bold** ${evil}` },
        ...{ project: { id }, milestones: [{ title: `First ${evil}` }] },
      });
    }
    for (const below of ['v1.0/a/evidences/2.json', 'v1.0/a/evidences/0.json', 'v1.0/b/evidences/1.json'])
      expect((await ask(`${base}/-/releases/${below}`)).status).toBe(404);
  });

  it('is linked from its tag', async () => {
    await root.Tags.create(id, 'without', 'main');
    const { text } = await open('/-/tags');
    expect([...text.matchAll(/href="([^"]*\/-\/releases\/[^"]*)"/g)].map(([, href]) => href)).toEqual([
      `${base}/-/releases/v1.0/a`,
    ]);
  });
});

interface Evidence {
  sha: string;
  filepath: string;
}
interface Release {
  evidences: Evidence[];
  _links: Record<string, string>;
}

describe('the links of a release to its issues and merge requests', () => {
  const titlesAt = async (address: string, by = visitor) => {
    const text = await (await by.load(new URL(address).pathname + new URL(address).search)).text();
    return [...text.matchAll(/<li><p><a href="[^"]*\/-\/(?:issues|merge_requests)\/\d+"><bdi>([^<]*)</g)].map(
      ([, title]) => title,
    );
  };

  it('lead to those with one of its milestones', async () => {
    const path = uniqueName('planned');
    const project = await root.Projects.create({ name: path, path, visibility: 'public', initializeWithReadme: true });
    const milestones = ['One', 'Two', 'Other'];
    const ids = new Map<string, number>();
    for (const title of milestones) ids.set(title, (await root.ProjectMilestones.create(project.id, title)).id);
    await root.Branches.create(project.id, 'topic', 'main');
    for (const title of ['', ...milestones]) {
      const milestoneId = ids.get(title)!;
      await root.Issues.create(project.id, `Open ${title}`, { milestoneId });
      const { iid } = await root.Issues.create(project.id, `Done ${title}`, { milestoneId });
      await root.Issues.edit(project.id, iid, { stateEvent: 'close' });
    }
    const milestoneId = ids.get('One')!;
    await root.MergeRequests.create(project.id, 'topic', 'main', 'A change', { milestoneId });
    await root.Branches.create(project.id, 'aside', 'main');
    await root.MergeRequests.create(project.id, 'aside', 'main', 'Another change');
    await root.ProjectReleases.create(project.id, {
      tagName: 'v1/a&b',
      ref: 'main',
      milestones: ['One', 'Two'],
    });
    await root.ProjectReleases.create(project.id, { tagName: 'v2', ref: 'main' });
    const linksOf = async (tag: string) =>
      ((await root.ProjectReleases.show(project.id, tag)) as unknown as Release)._links;
    const links = await linksOf('v1/a&b');
    expect(await titlesAt(links.opened_issues_url!)).toEqual(['Open Two', 'Open One']);
    expect(await titlesAt(links.closed_issues_url!)).toEqual(['Done Two', 'Done One']);
    expect(await titlesAt(`${links.opened_issues_url}&search=two`)).toEqual(['Open Two']);
    expect(await titlesAt(links.opened_merge_requests_url!)).toEqual(['A change']);
    for (const kind of ['closed', 'merged']) expect(await titlesAt(links[`${kind}_merge_requests_url`]!)).toEqual([]);
    const { pathname, search } = new URL(links.closed_issues_url!);
    const text = await (await visitor.load(pathname + search)).text();
    expect(text).toContain('/-/releases/v1/a%26b"><bdi>v1/a&amp;b</bdi></a>');
    expect(text).toMatch(/href="\?release_tag=v1%2Fa%26b&amp;scope=all&amp;state=opened"/);
    const without = await linksOf('v2');
    for (const kind of ['opened_issues_url', 'opened_merge_requests_url'])
      expect(await titlesAt(without[kind]!)).toEqual([]);
    expect(await titlesAt(links.opened_issues_url!.replace('v1', 'none'))).toEqual([]);
  });

  it('show nothing to guests who may not see the release', async () => {
    const guest = await newUser('guest');
    const path = uniqueName('private');
    const project = await root.Projects.create({ name: path, path, visibility: 'private', initializeWithReadme: true });
    await root.ProjectMembers.add(project.id, 10, { userId: guest.id });
    const { id: milestoneId } = await root.ProjectMilestones.create(project.id, 'One');
    await root.Issues.create(project.id, 'An issue', { milestoneId });
    await root.ProjectReleases.create(project.id, { tagName: 'v1', ref: 'main', milestones: ['One'] });
    const [guests, reporters] = [new PageVisitor(), new PageVisitor()];
    await guests.signIn(guest.username, guest.password);
    const address = `${project.web_url}/-/issues?release_tag=v1`;
    expect(await titlesAt(address, guests)).toEqual([]);
    await root.ProjectMembers.edit(project.id, guest.id, 20);
    await reporters.signIn(guest.username, guest.password);
    expect(await titlesAt(address, reporters)).toEqual(['An issue']);
  });
});

describe('the releases of a project', () => {
  it('are shown with their text and their first links', async () => {
    const { text } = await open('/-/releases');
    expect(text).toContain(`href="${base}/-/releases/v1.0/a"`);
    expect(text).toContain('<strong>bold</strong>');
    expect(assetsIn(text)).toHaveLength(5);
    expect(text).toContain('16 more links.');
    expect(text).not.toContain('<script');
  });

  it('have pages', async () => {
    const path = uniqueName('often');
    const project = await root.Projects.create({ name: path, path, visibility: 'public', initializeWithReadme: true });
    for (let number = 1; number <= 11; number++)
      await root.ProjectReleases.create(project.id, {
        tagName: `v${number}`,
        ref: 'main',
        description: 'word '.repeat(20_000),
        releasedAt: `2020-01-${10 + number}`,
      });
    const shown = async (query: string) => {
      const text = await (await visitor.load(`${project.web_url}/-/releases${query}`)).text();
      expect(text.length).toBeLessThan(500_000);
      return [...text.matchAll(/\/-\/releases\/(v\d+)"/g)].map(([, tag]) => tag);
    };
    expect(await shown('')).toEqual(['v11', 'v10', 'v9', 'v8', 'v7', 'v6', 'v5', 'v4', 'v3', 'v2']);
    expect(await shown('?page=2')).toEqual(['v1']);
  });

  it('of a private project are shown to its guests without the code', async () => {
    const guest = await newUser('guest');
    const path = uniqueName('private');
    const project = await root.Projects.create({ name: path, path, visibility: 'private', initializeWithReadme: true });
    await root.ProjectMembers.add(project.id, 10, { userId: guest.id });
    const links = [{ name: 'app', url: 'https://example.com/app' }];
    await root.ProjectReleases.create(project.id, { tagName: 'v-secret', ref: 'main', assets: { links } });
    await root.ProjectReleases.createEvidence(project.id, 'v-secret');
    const guests = new PageVisitor();
    await guests.signIn(guest.username, guest.password);
    const page = await guests.load(`${project.web_url}/-/releases`);
    const text = await page.text();
    expect([page.status, text.includes('https://example.com/app'), text.includes('v-secret')]).toEqual([
      200,
      true,
      false,
    ]);
    for (const below of ['v-secret', 'v-secret/evidences/1.json'])
      expect((await guests.load(`${project.web_url}/-/releases/${below}`)).status).toBe(404);
    await root.ProjectMembers.edit(project.id, guest.id, 20);
    const file = await guests.load(`${project.web_url}/-/releases/v-secret/evidences/1.json`);
    expect([file.status, (await file.json()).release.tag_name]).toEqual([200, 'v-secret']);
  });
});
