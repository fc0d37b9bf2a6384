import { type Browser } from 'playwright-core';
import { launchBrowser, newPageIn, noScript } from '../identity/chromium';
import { PageVisitor } from '../identity/page-visitor';
import { connection, root, uniqueName } from '../server/connection';
import { until } from '../server/until';

/* Pages of code: what they show of a repository, whatever its names and texts are. */

const visitor = new PageVisitor();
const evil = `"><script>alert(1)</script>`;
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script><rect width="9" height="9"/></svg>';

let base: string;
let first: string;

beforeAll(async () => {
  const path = uniqueName('code');
  const project = await root.Projects.create({ name: path, path, visibility: 'public' });
  base = `/${project.path_with_namespace}`;
  const file = (filePath: string, content: string, encoding: 'text' | 'base64' = 'text') => ({
    ...{ action: 'create' as const, filePath, content, encoding },
  });
  const commit = await root.Commits.create(project.id, 'main', `Add all\n\nFor ${evil}`, [
    file('README.md', '# Root\n\n[guide](docs/guide.md) ![dot](docs/dot.png)'),
    file('docs/guide.md', '# Guide\n\n[back](../README.md) [code](../src/a.ts#L2)'),
    file(
      'docs/long/README.md',
      `# Long\n\n[down](#the-end-1)\n\n${'Text\n\n'.repeat(100)}## The end\n\n${'Text\n\n'.repeat(100)}## The end\n`,
    ),
    file('docs/links.md', '[to the end](long/README.md#the-end)'),
    file('docs/table.md', '|left|middle|right|\n|-|:-:|-:|\n|1|2|3|'),
    file('docs/dot.png', png, 'base64'),
    file('docs/evil.svg', svg),
    file('docs/page.html', `<p>${evil}</p>`),
    file('src/a.ts', `const a = \`one\n two\`;\n// ${evil}\n`),
    file('src/x y/ä#?%&.txt', 'strange name'),
    file('src/binary', Buffer.from([1, 0, 2]).toString('base64'), 'base64'),
    file('src/empty', ''),
    file(`src/<script>alert(1)<`, evil),
    file('large.txt', 'line\n'.repeat(60_000)),
    file('wide.js', `x = [${'1,'.repeat(60_000)}];\n`),
    file('nested.js', '`${'.repeat(20_000)),
    ...Array.from({ length: 101 }, (_, at) => file(`many/${at + 100}.txt`, String(at))),
  ]);
  first = String(commit.id);
  await root.Branches.create(project.id, 'feature/deep/x', 'main');
  await root.Branches.create(project.id, 'a<b>"c', 'main');
  await root.Tags.create(project.id, 'v1.0', 'main', { message: 'First' });
  await root.Tags.create(project.id, 'deep/<b>#%', 'main');
  await root.Commits.create(project.id, 'feature/deep/x', 'Change, rename and delete', [
    { action: 'update', filePath: 'src/a.ts', content: 'const a = 1;\n' },
    { action: 'move', filePath: 'src/moved', previousPath: 'src/binary' },
    { action: 'delete', filePath: 'docs/page.html' },
  ]);
});

const open = async (below: string) => {
  const response = await visitor.load(base + below);
  return { status: response.status, text: await response.text() };
};
const raw = (below: string, headers: Record<string, string> = {}) =>
  fetch(`${connection.url}${base}/-/raw/${below}`, { headers });

describe('a folder', () => {
  it('lists folders and files, with links that lead to them', async () => {
    const { text } = await open('/-/tree/main/src');
    const links = [...text.matchAll(/<li><a href="([^"]*)"><bdi>/g)].map(([, href]) => href!);
    expect(links).toHaveLength(5);
    for (const link of links) expect([link, (await visitor.load(link)).status]).toEqual([link, 200]);
  });

  it('has pages', async () => {
    const [one, two] = [await open('/-/tree/main/many'), await open('/-/tree/main/many?page=2')];
    expect(one.text).toContain('<bdi>100.txt</bdi>');
    expect(one.text).not.toContain('<bdi>200.txt</bdi>');
    expect(two.text).toContain('<bdi>200.txt</bdi>');
  });

  it('of a branch with slashes in its name, and of a tag, is found', async () => {
    expect((await open('/-/tree/feature/deep/x/docs')).text).not.toContain('page.html');
    expect((await open('/-/tree/v1.0/docs')).text).toContain('page.html');
    expect((await open(`/-/tree/${encodeURIComponent('feature/deep/x')}/docs`)).text).toContain('guide.md');
  });

  it.each([
    ...['/-/tree/none', '/-/tree/main/none', '/-/tree/main/src/a.ts/x', '/-/blob/main/none', '/-/commit/none'],
    ...['/-/tree/feature', '/-/commits/none', '/-/commits/main/none', '/-/blame/main/src'],
    ...[`/-/tree/${'a/'.repeat(3000)}`, `/-/commit/${'0'.repeat(40)}`, '/-/raw/main/src', '/-/raw/none/a'],
  ])('or anything else that is missing has the page of a missing address: %j', async (below) => {
    const { status, text } = await open(below);
    expect([status, text.includes('Page not found')]).toEqual([404, true]);
  });
});

it('the heading of a very deep folder has links to the last folders only', async () => {
  const folders = Array.from({ length: 500 }, (_, at) => `d${at}`).join('/');
  const { id } = await root.Projects.show(base.slice(1));
  await root.RepositoryFiles.create(id, `${folders}/a.txt`, 'deep', 'x', 'add', { startBranch: 'main' });
  const { status, text } = await open(`/-/tree/deep/${folders}`);
  expect([status, text.match(/<bdi>d\d+<\/bdi>/g)?.length, text.includes('a.txt')]).toEqual([200, 50, true]);
});

describe('a file', () => {
  it.each([
    [
      'src/a.ts',
      '<span id="L1"><a href="#L1" tabindex="-1">1</a><code><span class="hljs-keyword">const</span>',
      '<code><span class="hljs-string"> two`</span>;</code>',
    ],
    ['docs/guide.md?plain=1', '<span class="hljs-section"># Guide</span>', '<a href="?">Rendered text</a>'],
  ])('of a known language is highlighted, also texts of several lines: %s', async (path, ...words) => {
    // On a busy machine it may take too long at first.
    await until('colours', async () => (await open(`/-/blob/main/${path}`)).text.includes('class="hljs-'));
    const { text } = await open(`/-/blob/main/${path}`);
    for (const word of words) expect(text).toContain(word);
  });

  it('with a strange name is shown', async () => {
    const { text } = await open(`/-/blob/main/src/x%20y/${encodeURIComponent('ä#?%&.txt')}`);
    expect(text).toContain('strange name');
  });

  it.each([
    ['/-/blob/main/src/binary', 'This file is not a text.'],
    ['/-/blob/main/docs/dot.png', '/-/raw/main/docs/dot.png" alt="dot.png"'],
    ['/-/blob/main/src/empty', '0 bytes'],
    ['/-/blob/main/large.txt', 'The rest of the file is in the <a href="'],
    ['/-/blob/main/large.txt', 'These are the first 3000 lines.'],
    ['/-/blob/main/docs/guide.md', '<h2><a name="guide" href="#guide">Guide</a></h2>'],
    ['/-/blob/main/docs', '<bdi>guide.md</bdi>'],
    ['/-/tree/main/docs/guide.md', '<h2><a name="guide" href="#guide">Guide</a></h2>'],
    ['/-/blame/main/src/a.ts', '<bdi>Add all</bdi>'],
    ['/-/blame/main/src/a.ts', '<span id="L1"><a href="#L1" tabindex="-1">1</a>const a = `one\n'],
    ['/-/blame/main/wide.js', '1,1,1…'],
    ['/-/blame/feature/deep/x/src/a.ts', '<bdi>Change, rename and delete</bdi>'],
    ['/-/commits/main/src/a.ts', '<bdi>Add all</bdi>'],
    ['/-/commits/feature/deep/x', '<bdi>Change, rename and delete</bdi>'],
    ['/-/tags', '/-/tags/v1.0"><bdi>v1.0</bdi></a>'],
    ['/-/tags', '/-/tags/deep/%3Cb%3E%23%25"><bdi>deep/&lt;b>#%</bdi></a>'],
    ['/-/branches', '/-/tree/feature/deep/x"><bdi>feature/deep/x</bdi></a>'],
    ['/-/tags/v1.0', '<h1>Tag <bdi>v1.0</bdi></h1>'],
    ['/-/tags/v1.0', '<pre>First</pre>'],
    ['/-/tags/v1.0', '<bdi>Add all</bdi>'],
    ['/-/tags/deep/%3Cb%3E%23%25', '<h1>Tag <bdi>deep/&lt;b>#%</bdi></h1>'],
    ['/-/tags/deep/%3Cb%3E%23%25', '/-/tree/deep/%3Cb%3E%23%25">Files</a>'],
    ['/-/tags?search=x', 'No name matches.'],
    ['/-/branches?search=deep', '<bdi>feature/deep/x</bdi>'],
    ['/-/compare/main...feature/deep/x', '<bdi>Change, rename and delete</bdi>'],
    ['/-/compare?from=main&to=feature/deep/x', 'Renamed from src/binary.'],
    ['/-/compare/feature/deep/x...main', 'has no commits that'],
    ['/-/compare?from=main&to=none', 'One of the two does not exist'],
  ])('%s shows %s', async (below, words) => {
    const { status, text } = await open(below);
    expect(status).toBe(200);
    expect(text).toContain(words);
  });

  it('is sent as it is, with a type that no browser executes', async () => {
    for (const [path, content, type] of [
      ['src/a.ts', `const a = \`one\n two\`;\n// ${evil}\n`, 'text/plain; charset=utf-8'],
      ['docs/evil.svg', svg, 'text/plain; charset=utf-8'],
      ['docs/dot.png', Buffer.from(png, 'base64').toString(), 'application/octet-stream'],
    ] as const) {
      for (const accept of ['*/*', 'text/html']) {
        const response = await raw(`main/${path}`, { accept });
        expect([response.status, await response.text()]).toEqual([200, content]);
        expect(response.headers.get('content-type')).toBe(type);
        expect(response.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
        expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      }
    }
    const absent = await raw('main/none');
    expect([absent.status, await absent.json()]).toEqual([404, { message: '404 Not found' }]);
  });
});

describe('a commit', () => {
  it('has its message and numbered changes', async () => {
    const { text } = await open(`/-/commit/${first}?page=2`);
    for (const words of ['<bdi>Add all</bdi>', '<pre>For &quot;>&lt;script>', 'rel="prev"'])
      expect(text).toContain(words);
    const changed = (await open('/-/commit/feature%2Fdeep%2Fx')).text;
    expect(changed).toContain('<span class="del"><i>1</i><i></i>-const a = `one\n</span>');
    expect(changed).toContain('<span class="add"><i></i><i>1</i>+const a = 1;\n</span>');
    expect(changed).toContain('Renamed from src/binary.');
    expect(changed).toContain('Deleted file.');
  });
});

describe('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser?.close());

  it('links lead to headings, in a text and from others, also in a README below the list of files', async () => {
    const page = await newPageIn(browser, noScript);
    const reached = () =>
      page.locator(':target').evaluate((target) => {
        const { parentElement, getBoundingClientRect } = target as unknown as {
          parentElement: { outerHTML: string };
          getBoundingClientRect: () => { top: number };
        };
        return [parentElement.outerHTML, getBoundingClientRect.call(target).top < 600];
      });
    const second = (level: number) => [
      `<h${level}><a name="the-end-1" href="#the-end-1">The end</a></h${level}>`,
      true,
    ];
    await page.goto(`${base}/-/blob/main/docs/links.md`);
    await page.getByRole('link', { name: 'to the end' }).click();
    await page.getByRole('heading', { name: 'README.md', level: 1 }).waitFor();
    expect(await reached()).toEqual(['<h3><a name="the-end" href="#the-end">The end</a></h3>', true]);
    await page.getByRole('link', { name: 'down' }).click();
    await until('the second heading', async () => page.url().endsWith('#the-end-1'));
    expect(await reached()).toEqual(second(3));
    await page.goto(`${base}/-/tree/main/docs/long#the-end-1`);
    expect(await reached()).toEqual(second(4));
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1);
  });

  it('columns of tables are aligned', async () => {
    const page = await newPageIn(browser, noScript);
    await page.goto(`${base}/-/blob/main/docs/table.md`);
    const cells = await page.locator('.prose th, .prose td').all();
    const sides = cells.map((cell) =>
      cell.evaluate((element) => {
        const { getComputedStyle } = globalThis as unknown as {
          getComputedStyle: (of: unknown) => { textAlign: string };
        };
        return getComputedStyle(element).textAlign;
      }),
    );
    expect(await Promise.all(sides)).toEqual([...['left', 'center', 'right'], ...['left', 'center', 'right']]);
  });

  it('links and images of a README lead to the files', async () => {
    const page = await newPageIn(browser, noScript);
    await page.goto(base);
    const dot = page.getByAltText('dot');
    await dot.waitFor();
    expect(await dot.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth)).toBe(1);
    await page.getByRole('link', { name: 'guide', exact: true }).click();
    await page.getByRole('heading', { name: 'Guide', exact: true }).waitFor();
    await page.getByRole('link', { name: 'code', exact: true }).click();
    await page.getByText('two`').waitFor();
    expect(page.url()).toBe(`${connection.url}${base}/-/blob/main/src/a.ts#L2`);
    await page.getByRole('link', { name: 'src', exact: true }).click();
    await page.getByRole('link', { name: 'x y' }).click();
    await page.getByRole('link', { name: 'ä#?%&.txt' }).click();
    await page.getByText('strange name').waitFor();
    await page.getByRole('link', { name: 'Blame' }).click();
    await page.getByRole('link', { name: first.slice(0, 8) }).click();
    await page.getByRole('heading', { name: 'Add all' }).waitFor();
  });

  it('no text of a repository becomes an element', async () => {
    const page = await newPageIn(browser);
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      return dialog.dismiss();
    });
    const strange = [
      ...['', '/-/tree/main/src', '/-/branches', '/-/commits/main', `/-/commit/${first}`, '/-/blob/main/docs/evil.svg'],
      ...[
        '/-/blob/main/docs/page.html',
        '/-/blob/main/src/a.ts',
        '/-/raw/main/docs/evil.svg',
        '/-/raw/main/docs/page.html',
      ],
      ...[`/-/blob/main/${encodeURIComponent('src/<script>alert(1)<')}`, `/-/tree/${encodeURIComponent('a<b>"c')}`],
      ...['/-/blame/main/src/a.ts', '/-/blob/main/wide.js', '/-/blob/main/nested.js'],
    ];
    for (const below of strange) {
      const response = await page.goto(base + below);
      expect([below, response?.status()]).toEqual([below, 200]);
      expect([below, await page.locator('script').count()]).toEqual([below, 0]);
    }
    expect(dialogs).toEqual([]);
  });
});
