import { PageVisitor } from '../identity/page-visitor';
import { newUser, root, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* Pages of snippets: what they show of their files, whatever names and contents these have. */

const evil = `"><script>alert(1)</script>`;
const visitor = new PageVisitor();
let base: string;
let id: number;

beforeAll(async () => {
  const name = uniqueName('snippets');
  const project = await root.Projects.create({ name, path: name, visibility: 'public' });
  base = `/${project.path_with_namespace}`;
  id = project.id;
});

const open = async (address: string) => {
  const response = await visitor.load(address);
  return { status: response.status, text: await response.text() };
};
type Files = Record<string, string>;
const options = (files: Files) => ({
  ...({ visibility: 'public', description: `The **words** ${evil}` } as const),
  files: Object.entries(files).map(([filePath, content]) => ({ filePath, content })),
});
const inProject = (files: Files) => root.ProjectSnippets.create(id, `Title ${evil}`, options(files));
const personal = (files: Files) => root.Snippets.create(`Title ${evil}`, options(files));

describe.each([
  ['of a project', inProject],
  ['of a user', personal],
])('a snippet %s', (_, create) => {
  it('shows its description and its highlighted files', async () => {
    const { web_url } = await create({ 'src/a.ts': `const a = 1; // ${evil}\n`, 'b.md': `# ${evil}`, LICENSE: evil });
    // On a busy machine it may take too long at first.
    await until('colours', async () => (await open(web_url)).text.includes('<span class="hljs-keyword">const</span>'));
    const { text } = await open(web_url);
    for (const words of [
      ...['<bdi>Title &quot;>&lt;script>', '<strong>words</strong>', '<bdi>src/a.ts</bdi>', '<bdi>b.md</bdi>'],
      ...['id="L1"', 'id="file2-L1"', 'id="file3-L1"', '&quot;>&lt;script>alert(1)&lt;/script>\n'],
    ])
      expect(text).toContain(words);
    expect(text).not.toContain('<script');
  });

  it('has addresses of its files as plain text', async () => {
    const files = { 'a.html': evil, 'x y/ä#?%&+.txt': 'The strange name' };
    const made = (await create(files)) as unknown as { raw_url: string; files: { path: string; raw_url: string }[] };
    expect(made.files.map(({ path }) => path)).toEqual(Object.keys(files));
    for (const [address, content] of [
      [made.raw_url, evil],
      ...made.files.map(({ path, raw_url }) => [raw_url, files[path as keyof typeof files]] as const),
    ] as const) {
      for (const accept of ['*/*', 'text/html']) {
        const response = await fetch(address, { headers: { accept } });
        expect([address, response.status, await response.text()]).toEqual([address, 200, content]);
        expect(response.headers.get('content-type')).toBe('text/plain; charset=utf-8');
        expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
      }
    }
    const absent = await fetch(`${made.raw_url}/main/none`);
    expect([absent.status, await absent.json()]).toEqual([404, { message: '404 Not found' }]);
  });

  it('with large files shows their beginnings', async () => {
    const names = Array.from({ length: 10 }, (_, at) => `${at}.txt`);
    const { web_url } = await create(Object.fromEntries(names.map((name) => [name, 'x\n'.repeat(190_000)])));
    const { status, text } = await open(web_url);
    expect(status).toBe(200);
    expect(text.match(/These are the first 300 lines\./g)).toHaveLength(10);
    expect(text.match(/The rest of the file is in the <a href="/g)).toHaveLength(10);
    expect(text.length).toBeLessThan(400_000);
  });
});

it('nested languages do not make the page long', async () => {
  const nested = Array.from({ length: 10 }, (_, at) => [`${at}.js`, `${'`${'.repeat(4200)}${at}`]);
  const { web_url } = await personal(Object.fromEntries(nested));
  const { status, text } = await open(web_url);
  expect(status).toBe(200);
  expect(text.length).toBeLessThan(1_500_000);
});

it('the list of a project has pages', async () => {
  const name = uniqueName('many');
  const project = await root.Projects.create({ name, path: name, visibility: 'public' });
  expect((await open(`/${project.path_with_namespace}/-/snippets`)).text).toContain('There are no snippets.');
  for (let number = 1; number <= 21; number++)
    await root.ProjectSnippets.create(project.id, `Number ${number}`, options({ a: 'a' }));
  const [one, two] = [
    (await open(`/${project.path_with_namespace}/-/snippets`)).text,
    (await open(`/${project.path_with_namespace}/-/snippets?page=2`)).text,
  ];
  expect([one.includes('<bdi>Number 21</bdi>'), one.includes('<bdi>Number 1</bdi>')]).toEqual([true, false]);
  expect(two).toContain('<bdi>Number 1</bdi>');
});

it('users have a list of their own snippets', async () => {
  const author = await newUser('author');
  const reader = new PageVisitor();
  await reader.signIn(author.username, author.password);
  await author.client.Snippets.create(`Mine ${evil}`, options({ a: 'a' }));
  const text = await (await reader.load('/-/snippets')).text();
  expect(text).toContain('<bdi>Mine &quot;>&lt;script>');
  expect(text).not.toContain('<script');
  expect((await open('/-/snippets')).status).toBe(404);
});

it('a snippet is only at its own address', async () => {
  const [ours, own] = [await inProject({ a: 'a' }), await personal({ a: 'a' })];
  for (const address of [`/-/snippets/${ours.id}`, `${base}/-/snippets/${own.id}`, `${base}/-/snippets/${own.id}/raw`])
    expect([address, (await open(address)).status]).toEqual([address, 404]);
});

it.each([
  ...['0', '999999999', 'x', '1.0', '9'.repeat(99)],
  ...['0/raw', '999999999/raw', '999999999/raw/main/a', `${'9'.repeat(99)}/raw`],
])('a snippet at %j is not found', async (below) => {
  for (const address of [`/-/snippets/${below}`, `${base}/-/snippets/${below}`])
    expect([address, (await open(address)).status]).toEqual([address, 404]);
});
