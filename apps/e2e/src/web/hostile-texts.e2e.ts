import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { inTabs, launchBrowser, newPageIn, signIn } from '../identity/chromium';
import { connection, root, uniqueName } from '../server/connection';
import { until } from '../server/until';
import { addEveryRecord, inTurn, ownPaths, publicPaths, type Records } from './every-record';

/*
 * Texts that would add elements or scripts to a page, in every field of every record and in every address. Where Chromium
 * ignores the content security policy, it shows what the pages themselves let through.
 */

/** Is replaced by the address of a server. */
const otherServer = 'http://other.example';

const titles = [
  `"'><moot-x onclick=hurt()><img src=x onerror=hurt()>`,
  '</title></textarea></style></script><script>hurt()</script>',
  '<svg/onload=hurt()>&lt;moot-x&gt;<!--',
  '" autofocus onfocus=hurt() x="',
  `javascript:hurt()//'-hurt()-'`,
  '[x](javascript:hurt()) ![y](x"onerror="hurt()) <javascript:hurt()>',
  `\u202e\u2066\u0000\u001b[31m${'a\u0301'.repeat(60)}`.replace('\u0000', ''),
];
const labels = titles.map((text) => text.replaceAll(/[/,\p{Cc}]/gu, '|'));
const names = [`"'><moot-x>`, '<svg|onload=hurt()>', '&lt;moot-x&gt;'];

const text = [
  ...titles,
  '<details open ontoggle=hurt()><summary>x</summary></details>',
  `<style>body { display: none }</style><link rel="stylesheet" href="${otherServer}/x.css">`,
  `<base href="${otherServer}/"><meta http-equiv="refresh" content="0;url=${otherServer}/">`,
  `<form action="${otherServer}/"><input name="csrf" autofocus onfocus=hurt()><button>x</button></form>`,
  '<iframe srcdoc="<script>parent.hurt()</script>"></iframe><object data="javascript:hurt()"></object>',
  '<a href="java&#10;script:hurt()" style="position:fixed;inset:0" id="main-content" class="skip" target="_self">x</a>',
  `<img src="${otherServer}/x.png" srcset="${otherServer}/y.png 2x"> ![z](${otherServer}/z.png)`,
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=x onerror=hurt()&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=hurt()>"></noscript>',
  '<svg><style><img src=x onerror=hurt()></style></svg>',
  '```"><moot-x onclick=hurt()>\n</code></pre><moot-x>\n```',
  '[a]: javascript:hurt()\n[a] <mailto:"onclick=hurt()"@example.com>',
  `- ${'> - '.repeat(30)}x`,
  '| a | b |\n|---|:-:|\n| <moot-x> | [x](data:text/html,<script>hurt()</script>) |',
].join('\n\n');
const code = `// ${titles.join('\n// ')}\nconst moot = \`<script>hurt()</script>\`;\n</pre></code><moot-x>\n`;
const log = [
  'section_start:1:a"><moot-x>\r\u001b[0K<moot-x>',
  '\u001b]8;;javascript:hurt()\u0007link\u001b]8;;\u0007 \u001b[31;1"><moot-x>mred\u001b[0m',
  '\u001b]0;title\u0007\u001b[2J\u001b[999;999H\u001b[38;5;',
  ...titles,
  '',
].join('\n');

let browser: Browser;
let records: Records;
/** Another server, and the requests that it got. */
const other = createServer((request, response) => {
  requested.push(request.url ?? '');
  response.end();
});
const requested: string[] = [];

beforeAll(async () => {
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
  browser = await launchBrowser();
  records = await addEveryRecord({
    ...{ word: 'moot', groupName: uniqueName('moot'), name: inTurn(...names), label: inTurn(...labels) },
    ...{ title: inTurn(...titles), text: () => text.replaceAll(otherServer, url), url: `${url}/x.svg`, code, log },
    search: 'hurt',
  });
}, 60_000);
afterAll(async () => {
  await browser?.close();
  other.closeAllConnections();
  other.close();
});

/** A page in a context that reports scripts. */
async function openBrowser(faults: string[], options: BrowserContextOptions = {}): Promise<Page> {
  const page = await newPageIn(browser, options);
  await page.context().exposeBinding('hurt', (source) => faults.push(`${source.page.url()}: a script`));
  page.context().on('dialog', (dialog) => dialog.dismiss());
  return page;
}

async function beginAs(page: Page, user: Parameters<typeof signIn>[1]): Promise<void> {
  await page.goto('/users/sign_in');
  await signIn(page, user);
  // Other tabs need its cookie.
  await page.waitForURL('/');
}

const ignoringPolicy = { bypassCSP: true };

/** What a text has added to a page. */
const additionsOf = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const added = 'moot-x, script, iframe, object, embed, base, link:not([rel=icon]), style:not(head > style), main meta, svg > style, [style]';
    const isOther = (address) => !/^(https?|ssh|mailto|blob):$/.test(new URL(address, 'http://here.example').protocol);
    const found = [...document.querySelectorAll(added)].map((each) => each.outerHTML);
    for (const each of document.querySelectorAll('*')) {
      for (const { name, value } of each.attributes) {
        if (name.startsWith('on')) found.push(name + ': ' + each.outerHTML);
        if (['href', 'src', 'action', 'formaction'].includes(name) && isOther(value)) found.push(name + '=' + value);
      }
    }
    for (const form of document.forms) if (new URL(form.action).origin !== location.origin) found.push(form.outerHTML);
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id);
    found.push(...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => 'a second #' + id));
    if (document.querySelector('main').checkVisibility?.() === false) found.push('the page is hidden');
    return found.map((each) => each.slice(0, 200));
  })()`);

function walk(page: Page, paths: string[], faults: string[]): Promise<void> {
  return inTabs(page, paths, async (tab, path) => {
    const answer = await tab.goto(path);
    const found = await additionsOf(tab);
    if (answer!.status() !== 200) found.push(`status ${answer!.status()}`);
    faults.push(...found.map((each) => `${path}: ${each}`));
  });
}

const parameters = ['search', 'page', 'state', 'label_name[]', 'milestone_title', 'sort', 'order_by', 'ref', 'at'];

/** A page with a hostile value of each parameter. */
function withQuery(path: string, number: number): string {
  const [shown = ''] = path.split('#', 1);
  const query = new URLSearchParams(parameters.map((name) => [name, titles[number % 4]!]));
  return `${shown}${shown.includes('?') ? '&' : '?'}${query}`;
}

it('the browser reports what these texts would do', async () => {
  const faults: string[] = [];
  const page = await openBrowser(faults);
  for (const title of titles.slice(0, 3)) {
    await page.setContent(
      `<main id="main-content"><p title="${title}">${title}</p><textarea>${title}</textarea></main>`,
    );
    expect([title, await additionsOf(page)]).not.toEqual([title, []]);
  }
  await until('a script', () => faults.length > 0);
});

it('no text of a record becomes an element or a script', async () => {
  const faults: string[] = [];
  const page = await openBrowser(faults, ignoringPolicy);
  await walk(page, publicPaths(records), faults);
  await beginAs(page, records.person);
  await walk(page, ownPaths(records), faults);
  await page.context().clearCookies();
  await beginAs(page, connection);
  const { username } = records.person;
  const user = ['', '/edit', '/impersonation_tokens'].map((below) => `/admin/users/${username}${below}`);
  await walk(page, ['/admin', `/admin/users?search=${username}`, ...user, '/admin/repository_storage_moves'], faults);
  expect(faults).toEqual([]);
}, 120_000);

it('nor does a value in an address', async () => {
  const faults: string[] = [];
  const page = await openBrowser(faults, ignoringPolicy);
  await beginAs(page, records.person);
  const paths = [...publicPaths(records), ...ownPaths(records)].map(withQuery);
  await inTabs(page, paths, async (tab, path) => {
    await tab.goto(path);
    faults.push(...(await additionsOf(tab)).map((each) => `${path}: ${each}`));
  });
  expect(faults).toEqual([]);
}, 120_000);

it('no page loads anything from another server', async () => {
  requested.length = 0;
  const page = await openBrowser([]);
  await inTabs(page, publicPaths(records), (tab, path) => tab.goto(path));
  expect(requested).toEqual([]);
  // This browser can reach it.
  await page.goto(`${records.projectPath}/-/wikis`);
  await page.evaluate(
    `location = document.querySelector('main a[href^="http://127."], main img[src^="http://127."]').src`,
  );
  await until('a request', () => requested.length > 0);
}, 60_000);

it('files are shown without their scripts', async () => {
  const { projectId, projectPath, below } = records;
  const files = {
    'x.svg': '<svg xmlns="http://www.w3.org/2000/svg" onload="hurt()"><script>hurt()</script></svg>',
    'x.html': '<!doctype html><body onload="hurt()"><script>hurt()</script>',
    'x.xml': '<x xmlns:h="http://www.w3.org/1999/xhtml"><h:script>hurt()</h:script></x>',
  };
  for (const [path, content] of Object.entries(files)) {
    await root.RepositoryFiles.create(projectId, path, 'main', content, 'Add a file');
  }
  const faults: string[] = [];
  const page = await openBrowser(faults);
  await beginAs(page, records.person);
  const paths = ['raw/main/x.svg', 'raw/main/x.html', 'raw/main/x.xml', `${below.job}/raw`, `${below.snippet}/raw`];
  for (const path of paths) {
    // Fails if the browser stores the file instead.
    await page
      .goto(`${projectPath}/-/${path}`)
      .catch((error) => expect(String(error)).toMatch(/download|ERR_ABORTED/i));
  }
  expect(faults).toEqual([]);
}, 60_000);
