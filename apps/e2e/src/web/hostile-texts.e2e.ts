import type { Browser, Page } from 'playwright-core';
import { launchBrowser, newPageIn, signIn } from '../identity/chromium';
import { connection, uniqueName } from '../server/connection';
import { addEveryRecord, inTurn, ownPaths, publicPaths, type Records } from './every-record';

/*
 * Texts that would add elements or scripts to a page, in every field of every record and in every address. Chromium ignores
 * the content security policy here, which would hide what the pages themselves let through.
 */

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
  '<style>body { display: none }</style><link rel="stylesheet" href="http://127.0.0.1:1/x.css">',
  '<base href="http://127.0.0.1:1/"><meta http-equiv="refresh" content="0;url=http://127.0.0.1:1/">',
  '<form action="http://127.0.0.1:1/"><input name="csrf" autofocus onfocus=hurt()><button>x</button></form>',
  '<iframe srcdoc="<script>parent.hurt()</script>"></iframe><object data="javascript:hurt()"></object>',
  '<a href="java&#10;script:hurt()" style="position:fixed;inset:0" id="content" class="skip" target="_self">x</a>',
  '<img src="http://127.0.0.1:1/x.png" srcset="http://127.0.0.1:1/y.png 2x"> ![z](http://127.0.0.1:1/z.png)',
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

beforeAll(async () => {
  browser = await launchBrowser();
  records = await addEveryRecord({
    ...{ word: 'moot', groupName: uniqueName('moot'), name: inTurn(...names), label: inTurn(...labels) },
    ...{ title: inTurn(...titles), text: () => text, url: 'http://127.0.0.1:1/x', code, log },
  });
}, 60_000);
afterAll(() => browser?.close());

/** A page that reports scripts, and requests to other servers. */
async function openBrowser(faults: string[]): Promise<Page> {
  const page = await newPageIn(browser, { bypassCSP: true });
  await page.exposeFunction('hurt', () => faults.push(`${page.url()}: a script`));
  page.on('dialog', (dialog) => dialog.dismiss());
  page.on('request', (request) => {
    // Policy forbids images of other servers; nothing else may depend on it.
    const isImage = request.resourceType() === 'image';
    if (!isImage && !request.url().startsWith(`${connection.url}/`))
      faults.push(`${page.url()}: a request to ${request.url()}`);
  });
  return page;
}

/** What a text has added to a page. */
const additionsOf = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => {
    const added = 'moot-x, script, iframe, object, embed, base, link:not([rel=icon]), style:not(head > style), main meta, svg > style, [style]';
    const isOther = (address) => !/^(https?|ssh|mailto|blob):$/.test(new URL(address, location.href).protocol);
    const found = [...document.querySelectorAll(added)].map((each) => each.outerHTML);
    for (const each of document.querySelectorAll('*')) {
      for (const { name, value } of each.attributes) {
        if (name.startsWith('on')) found.push(name + ': ' + each.outerHTML);
        if (['href', 'src', 'action', 'formaction'].includes(name) && isOther(value)) found.push(name + '=' + value);
      }
    }
    for (const form of document.forms) if (new URL(form.action).origin !== location.origin) found.push(form.outerHTML);
    if (document.querySelectorAll('#content').length !== 1) found.push('another #content');
    if (document.querySelector('main').checkVisibility?.() === false) found.push('the page is hidden');
    return found.map((each) => each.slice(0, 200));
  })()`);

async function walk(page: Page, paths: string[], faults: string[]): Promise<void> {
  for (const path of paths) {
    const answer = await page.goto(path);
    const found = await additionsOf(page);
    if (answer!.status() !== 200) found.push(`status ${answer!.status()}`);
    faults.push(...found.map((each) => `${path}: ${each}`));
  }
}

const hostile = titles.slice(0, 4).map(encodeURIComponent);
const queries = [
  'search',
  'page',
  'state',
  'label_name[]',
  'milestone_title',
  'sort',
  'order_by',
  'ref',
  'at',
  'saved',
];
/** Each page with a hostile value of each parameter. */
const withQuery = (path: string, number: number): string =>
  `${path}${path.includes('?') ? '&' : '?'}${queries.map((name) => `${name}=${hostile[number % hostile.length]}`).join('&')}`;

it('no text of a record becomes an element or a script', async () => {
  const faults: string[] = [];
  const page = await openBrowser(faults);
  await walk(page, publicPaths(records), faults);
  await page.goto('/users/sign_in');
  await signIn(page, records.person);
  await walk(page, ownPaths(records), faults);
  expect(faults).toEqual([]);
}, 120_000);

it('nor does a value in an address', async () => {
  const faults: string[] = [];
  const page = await openBrowser(faults);
  await page.goto('/users/sign_in');
  await signIn(page, records.person);
  for (const [number, path] of [...publicPaths(records), ...ownPaths(records)].entries()) {
    await page.goto(withQuery(path, number));
    faults.push(...(await additionsOf(page)).map((each) => `${page.url()}: ${each}`));
  }
  expect(faults).toEqual([]);
}, 120_000);
