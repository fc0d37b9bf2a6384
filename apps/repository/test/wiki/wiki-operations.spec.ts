import {
  Access,
  attachToWiki,
  copiedRefsChanged,
  createWikiPage,
  deleteWikiPage,
  getWikiAttachment,
  getWikiPage,
  listSomeWikiPages,
  listWikiPages,
  projectsWithWiki,
  updateWikiPage,
  wikiPageChanged,
} from '@moothall/contracts';
import { eventually, shareBetweenTests, UploadStore } from '@moothall/testing';
import { startRepositoryService } from '../repository-under-test';

const under = shareBetweenTests(() => startRepositoryService());

it('writes, moves and deletes pages, and publishes an event for each', async () => {
  const { project, context, caller } = await under.newProject();
  const { client } = under;
  expect(await client.call(listWikiPages, { id: 'x' }, context)).toEqual([]);
  const page = await client.call(createWikiPage, { id: 'x', title: 'dir/My page', content: '# Hi' }, context);
  expect(page).toEqual({
    title: 'My page',
    slug: 'dir/My-page',
    format: 'markdown',
    content: '# Hi',
    encoding: 'UTF-8',
  });
  await client.call(updateWikiPage, { id: 'x', slug: page.slug, title: 'New', content: 'Text' }, context);
  await expect(client.call(getWikiPage, { id: 'x', slug: page.slug }, context)).rejects.toMatchObject({
    value: { code: 'wiki.page_not_found' },
  });
  const pages = await client.call(listWikiPages, { id: 'x', with_content: true }, context);
  expect(pages.map(({ slug, content }) => [slug, content])).toEqual([['dir/New', 'Text']]);
  await client.call(deleteWikiPage, { id: 'x', slug: 'dir/New' }, context);
  const event = await eventually(() => {
    const events = under.events(wikiPageChanged).filter(({ data }) => data.project_id === project.id);
    return events.length === 3 ? events : undefined;
  });
  expect(event.map(({ data }) => [data.action, data.slug, data.content, data.user?.id])).toEqual([
    ['create', 'dir/My-page', '# Hi', caller.id],
    ['update', 'dir/New', 'Text', caller.id],
    ['delete', 'dir/New', '', caller.id],
  ]);
  // For replication.
  const copied = under.events(copiedRefsChanged).filter(({ data }) => data.project_id === project.id);
  expect(copied.map(({ data }) => data.kind)).toEqual(['wiki', 'wiki', 'wiki']);
  expect(await client.call(projectsWithWiki, { project_ids: [project.id, 1] })).toEqual([project.id]);
});

it('creates one wiki and loses no page under concurrent writes', async () => {
  const { context } = await under.newProject();
  const titles = Array.from({ length: 8 }, (_, index) => `Page ${index}`);
  await Promise.all(
    titles.map((title) => under.client.call(createWikiPage, { id: 'x', title, content: title }, context)),
  );
  const pages = await under.client.call(listWikiPages, { id: 'x' }, context);
  expect(pages.map(({ title }) => title)).toEqual(titles);
});

it('lists a part, also the one with a page', async () => {
  const { context } = await under.newProject();
  const slugs = async (asked: object) =>
    (await under.client.call(listSomeWikiPages, { id: 'x', per_page: 2, ...asked }, context)).items.map(
      ({ slug }) => slug,
    );
  expect(await slugs({})).toEqual([]);
  for (const title of ['a', 'b', 'c', 'd', 'e'])
    await under.client.call(createWikiPage, { id: 'x', title, content: title }, context);
  expect(await slugs({})).toEqual(['a', 'b']);
  expect(await slugs({ page: 3 })).toEqual(['e']);
  expect(await slugs({ with_slug: 'd' })).toEqual(['c', 'd']);
  expect(await slugs({ with_slug: 'none' })).toEqual(['a', 'b']);
});

it.each([
  [{ title: '../..', content: 'x' }, 'wiki.title_blank'],
  [{ title: 'a/../b', content: 'x' }, 'wiki.title_invalid'],
  [{ title: 'x', content: ' ' }, 'wiki.content_blank'],
])('refuses %j', async (page, code) => {
  const { contextAs } = await under.newProject();
  await expect(
    under.client.call(createWikiPage, { id: 'x', ...page }, contextAs(Access.Developer)),
  ).rejects.toMatchObject({
    value: { code },
  });
});

it('stores an attachment under its harmless name', async () => {
  const { context } = await under.newProject();
  const store = await UploadStore.start();
  const file = store.add(Buffer.from('PNG'), '../../x.png');
  const attached = await under.client.call(attachToWiki, { id: 'x', file }, context);
  await store.stop();
  expect(attached).toMatchObject({
    file_name: 'x.png',
    branch: 'master',
    file_path: expect.stringMatching(/^uploads\/[0-9a-f]{32}\/x\.png$/),
    link: { url: attached.file_path, markdown: `![x](${attached.file_path})` },
  });
  const { url } = await under.client.call(getWikiAttachment, { id: 'x', file_path: attached.file_path }, context);
  expect(await (await fetch(url)).text()).toBe('PNG');
  for (const path of ['uploads/none', 'home.md', `${attached.file_path}/x`])
    await expect(under.client.call(getWikiAttachment, { id: 'x', file_path: path }, context)).rejects.toMatchObject({
      value: { code: 'repository_content.file_not_found' },
    });
});
