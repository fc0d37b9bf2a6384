import { type Browser, chromium, type Page } from 'playwright-core';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test';

/* In a real browser. The page of an area runs four megabytes of script, which takes a while on a busy machine. */
jest.setTimeout(300_000);
const slow = { timeout: 120_000 };

let gateway: GatewayUnderTest;
let browser: Browser;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  browser = await chromium.launch({ executablePath, chromiumSandbox: false });
});
afterAll(async () => {
  await browser?.close();
  await gateway.stop();
});

const operation = '/repository#tag/branches/POST/api/v4/projects/{id}/repository/branches';

async function openReference(width: number, colorScheme: 'light' | 'dark'): Promise<{ page: Page; outside: string[] }> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
  const page = await context.newPage();
  const outside: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith(gateway.url) && !request.url().startsWith('data:')) outside.push(request.url());
  });
  await page.goto(`${gateway.url}/-/reference${operation}`, slow);
  await page.getByRole('heading', { name: 'Start a branch' }).first().waitFor(slow);
  return { page, outside };
}

const widthOf = (page: Page) => page.evaluate<number>('document.documentElement.scrollWidth');
const lookOf = (page: Page) => page.evaluate<string>('document.body.className');

it('fits a small phone, in dark mode, and loads nothing from other servers', async () => {
  const { page, outside } = await openReference(320, 'dark');
  expect(await widthOf(page)).toBeLessThanOrEqual(320);
  expect(await lookOf(page)).toContain('dark-mode');
  expect(outside).toEqual([]);
  await page.context().close();
});

it.each([
  ['delete old image tags', 'DELETE /api/v4/projects/{id}/registry/repositories/{repository_id}/tags'],
  ['schedule a pipeline', 'POST /api/v4/projects/{id}/pipeline_schedules'],
  ['rotate a project token', 'POST /api/v4/projects/{id}/access_tokens/{token_id}/rotate'],
  ['create an issue', 'POST /api/v4/projects/{id}/issues'],
])('finds the operation to %s first', async (words, first) => {
  const page = await browser.newPage();
  await page.goto(`${gateway.url}/-/reference`, slow);
  await page.getByLabel('Find an operation').fill(words);
  expect(await page.locator('#found code').first().textContent()).toBe(first);
  await page.close();
});

it('lists all operations without a script, and finds nothing for unknown words', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const plain = await context.newPage();
  await plain.goto(`${gateway.url}/-/reference`, slow);
  expect(await plain.locator('#all li').count()).toBeGreaterThan(900);
  await context.close();
  const page = await browser.newPage();
  await page.goto(`${gateway.url}/-/reference`, slow);
  await page.getByLabel('Find an operation').fill('xyzzyq');
  expect(await page.locator('#count').textContent()).toBe('0 found');
  expect(await page.locator('#all').isVisible()).toBe(true);
  await page.close();
});

it('redirects an old link of an operation to the page of its area', async () => {
  const page = await browser.newPage();
  await page.goto(`${gateway.url}/-/reference#tag/branches/POST/api/v4/projects/{id}/repository/branches`, slow);
  await page.waitForURL(/\/-\/reference\/repository#tag\/branches/, slow);
  await page.close();
});

it('finds, tries and shows code for curl, Node and Python, with the header of the token', async () => {
  const { page, outside } = await openReference(1280, 'light');
  expect(await lookOf(page)).toContain('light-mode');
  await page
    .getByRole('button', { name: /Test Request/ })
    .first()
    .waitFor(slow);
  const code = page.locator('pre', { hasText: '/repository/branches' }).first();
  expect(await code.textContent(slow)).toContain("--header 'PRIVATE-TOKEN: your-token'");
  await page.getByText('Shell Curl').last().click(slow);
  for (const code of [/^(Node\.js )?Fetch$/, /^(Python )?Requests$/]) await page.getByText(code).first().waitFor(slow);
  await page.keyboard.press('Escape');
  await page
    .getByRole('button', { name: /Search/ })
    .first()
    .click(slow);
  await page.keyboard.type('merge base');
  await page.getByText('The best common ancestor of refs').first().waitFor(slow);
  expect(outside).toEqual([]);
  await page.context().close();
});
