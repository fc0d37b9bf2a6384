import { PageVisitor } from '../identity/page-visitor';
import { askJson, newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* The page with the to-dos of a user. */

const path = '/dashboard/todos';
const evil = `"><script>alert(1)</script>`;

/** A user with to-dos on new issues, in a browser. */
async function userWithTodos(titles: readonly string[]) {
  const person = await newUser('busy');
  const visitor = new PageVisitor();
  await visitor.signIn(person.username, person.password);
  const name = uniqueName('work');
  const { id } = await root.Projects.create({ name, path: name, visibility: 'public' });
  for (const title of titles) await root.Issues.create(id, title, { assigneeIds: [person.id] });
  const pending = async (state = 'pending') =>
    (await askJson('GET', `/todos?per_page=100&state=${state}`, person)).body as unknown as { id: number }[];
  // The integrations service creates them after events.
  await until('the to-dos', async () => (await pending()).length === titles.length);
  const open = async (query = '') => {
    const page = await visitor.load(path + query);
    return { page, text: await page.clone().text() };
  };
  return { person, visitor, pending, open, project: name };
}

it('lists what is to do, and why, and marks one of it as done', async () => {
  const { person, visitor, pending, open, project } = await userWithTodos([`First ${evil}`, 'Second']);
  const { page, text } = await open();
  expect(text).not.toContain('<script>alert');
  expect(text).toMatch(/First &quot;>&lt;script>.*assigned to you/s);
  expect(text).toContain(`href="/root/${project}/-/issues/1"`);
  expect(text).toContain(`root/${project}#1 by `);
  const first = (await pending()).at(-1)!;
  const after = await visitor.submit(page, {}, 'done', String(first.id));
  expect([new URL(after.url).pathname, (await pending()).length]).toEqual([path, 1]);
  const shown = await after.text();
  expect([shown.includes('First'), shown.includes('Second')]).toEqual([false, true]);
  const done = await open('?state=done');
  expect([done.text.includes('First'), done.text.includes('Second')]).toEqual([true, false]);
  expect(done.text).not.toContain('Mark as done');
  for (const link of ['/', `/${person.username}`]) {
    expect([link, await (await visitor.load(link)).text()]).toEqual([link, expect.stringContaining(`href="${path}"`)]);
  }
});

it('marks all as done, at a second step', async () => {
  const { visitor, pending, open } = await userWithTodos(['One', 'Two']);
  const { page, text } = await open();
  expect(text).toContain('All to-dos are marked as done, also those on other pages.');
  const after = await visitor.submit(page, {}, 'all-done');
  expect([await after.text(), await pending(), (await pending('done')).length]).toEqual([
    ...[expect.stringContaining('Nothing is to do.'), [], 2],
  ]);
});

it('marks nothing of another user, and nothing twice', async () => {
  const [own, other] = [await userWithTodos(['Own']), await userWithTodos(['Other'])];
  const [todo] = await other.pending();
  const { page } = await own.open();
  const stolen = await own.visitor.submit(page.clone() as Response, { of: String(todo!.id) }, 'done');
  expect([stolen.status, (await other.pending()).length]).toEqual([422, 1]);
  const both = await Promise.all([1, 2].map(() => own.visitor.submit(page.clone() as Response, {}, 'done')));
  expect([both.map(({ status }) => status), await own.pending()]).toEqual([[200, 200], []]);
});

it('has pages', async () => {
  const { open } = await userWithTodos(Array.from({ length: 21 }, (_, at) => `Work ${at}`));
  const titles = async (query: string) => (await open(query)).text.match(/<bdi>Work \d+<\/bdi>/g) ?? [];
  const [one, two] = [await titles(''), await titles('?page=2')];
  expect([one.length, two.length, new Set([...one, ...two]).size]).toEqual([20, 1, 21]);
});

it('leads visitors to the sign-in, and back', async () => {
  const { url } = await new PageVisitor().load(`${path}?state=done`);
  const { pathname, searchParams } = new URL(url);
  expect([pathname, searchParams.get('return_to')]).toEqual(['/users/sign_in', `${path}?state=done`]);
});
