import { PageVisitor } from '../identity/page-visitor';
import { connection, newUser, root, uniqueName } from '../server/connection';

/* Pages are compressed, and their lengths disclose no token. */

const visitor = new PageVisitor();
let project: string;

beforeAll(async () => {
  const { username, password } = await newUser('reader');
  await visitor.signIn(username, password);
  project = (await root.Projects.create({ name: uniqueName('compressed'), visibility: 'public' })).path_with_namespace;
  await root.RepositoryFiles.create(project, 'README.md', 'main', '# About\n\nA text.', 'Add a file');
});

const load = async (path: string, encoding: string, method = 'GET') => {
  const response = await visitor.send(path, undefined, { method, headers: { 'accept-encoding': encoding } });
  return { response, text: await response.text(), encoding: response.headers.get('content-encoding') };
};

const csrfOf = (text: string): string[] =>
  [...text.matchAll(/name="csrf" value="([^"]*)"/g)].map(([, token]) => token!);
const withoutTokens = (text: string): string => text.replaceAll(/name="(csrf|token)" value="[^"]*"/g, '');

const pages = (): string[] => [
  ...['/', '/-/profile/password', '/-/profile/applications', `/${project}`, `/${project}/-/blob/main/README.md`],
  ...[`/${project}/-/issues/new`, '/nobody/nothing'],
];

it('are the same pages in each encoding, with other tokens each time', async () => {
  for (const path of pages()) {
    const loaded = await Promise.all(['identity', 'gzip', 'br', 'gzip'].map((encoding) => load(path, encoding)));
    expect([path, ...loaded.map(({ encoding }) => encoding)]).toEqual([path, null, 'gzip', 'br', 'gzip']);
    expect(new Set(loaded.map(({ text }) => withoutTokens(text))).size).toBe(1);
    expect(loaded.map(({ response }) => response.headers.get('vary'))).toEqual(
      Array(4).fill(expect.stringMatching(/\bAccept-Encoding\b/)),
    );
    const tokens = loaded.map(({ text }) => csrfOf(text)[0]);
    expect([tokens.includes(undefined), new Set(tokens).size]).toEqual([false, 4]);
  }
});

it('are sent as they are to clients that refuse others', async () => {
  for (const encoding of ['gzip;q=0', 'gzip;q=0, br;q=0', 'identity', '*;q=0'])
    expect(await load(`/${project}`, encoding)).toMatchObject({
      encoding: null,
      text: expect.stringMatching(/^<!doctype html>/),
    });
});

it('answer HEAD with the same encoding', async () => {
  expect(await load(`/${project}`, 'gzip', 'HEAD')).toMatchObject({ encoding: 'gzip', text: '' });
});

it('accept the token of each page that is open', async () => {
  const path = `/${project}/-/issues/new`;
  const shown = [await load(path, 'gzip'), await load(path, 'br')];
  for (const { text } of shown) {
    const form = { csrf: csrfOf(text)[0]!, token: uniqueName('token'), form: 'new-issue', title: uniqueName('issue') };
    const answer = await visitor.send(path, new URLSearchParams(form));
    expect([answer.status, answer.headers.get('location')]).toEqual([303, expect.stringMatching(/\/-\/issues\/\d+$/)]);
  }
});

it('leave files and the API as they are', async () => {
  const headers = { 'accept-encoding': 'gzip, br', 'private-token': connection.token };
  for (const path of ['/api/v4/projects', `/${project}/-/raw/main/README.md`]) {
    const response = await fetch(connection.url + path, { headers });
    expect([path, response.status, response.headers.get('content-encoding')]).toEqual([path, 200, null]);
  }
});
