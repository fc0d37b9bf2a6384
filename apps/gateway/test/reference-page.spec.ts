import { type Browser, chromium, type Page } from 'playwright-core';
import { type GatewayUnderTest, startGatewayUnderTest } from './gateway-under-test';

/* In a real browser. The page is made by four megabytes of script, which a busy machine takes a while for. */
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

const operation = '#tag/branches/POST/api/v4/projects/{id}/repository/branches';

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

it('fits a small phone, in the dark, and asks nothing of other servers', async () => {
  const { page, outside } = await openReference(320, 'dark');
  expect(await widthOf(page)).toBeLessThanOrEqual(320);
  expect(await lookOf(page)).toContain('dark-mode');
  expect(outside).toEqual([]);
  await page.context().close();
});

it('finds, tries and shows code for curl, Node and Python', async () => {
  const { page, outside } = await openReference(1280, 'light');
  expect(await lookOf(page)).toContain('light-mode');
  await page
    .getByRole('button', { name: /Test Request/ })
    .first()
    .waitFor(slow);
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
