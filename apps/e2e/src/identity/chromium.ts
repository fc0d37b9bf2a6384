import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { connection, type newUser } from '../server/connection';

const executable = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const flags = ['gpu', 'quic', 'background-networking', 'component-update', 'sync'].map((name) => `--disable-${name}`);

export const noScript: BrowserContextOptions = { javaScriptEnabled: false };

/** With a new profile; root cannot run Chromium's sandbox, and all pages here are local. */
export function launchBrowser(): Promise<Browser> {
  if (!existsSync(executable)) {
    throw new Error(`No browser at ${executable}: install Debian's package "chromium", or set CHROMIUM_PATH.`);
  }
  return chromium.launch({ executablePath: executable, chromiumSandbox: false, args: flags });
}

/** A page in a new browser context, without cookies. */
export async function newPageIn(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const context = await browser.newContext({ baseURL: connection.url, ...options });
  // Shorter than the timeout of a test, so that a failure names the step.
  context.setDefaultTimeout(60_000);
  return context.newPage();
}

/**
 * Visits each of the items in one of three tabs: the page, and two more in its context. Chromium draws tabs in the
 * background rarely, so clicks, which wait for that, are slow there.
 */
export async function inTabs<T>(page: Page, items: readonly T[], visit: (tab: Page, item: T) => Promise<unknown>) {
  const more = [await page.context().newPage(), await page.context().newPage()];
  const waiting = items.values();
  const visitAll = async (tab: Page) => {
    for (const item of waiting) await visit(tab, item);
  };
  await Promise.all([page, ...more].map(visitAll));
  await Promise.all(more.map((tab) => tab.close()));
}

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
export const fill = (page: Page, label: string, text: string) => page.getByLabel(label, { exact: true }).fill(text);

type User = Pick<Awaited<ReturnType<typeof newUser>>, 'username' | 'password'>;

export async function signIn(page: Page, { username, password }: User): Promise<void> {
  await fill(page, 'Username or email address', username);
  await fill(page, 'Password', password);
  await press(page, 'Sign in');
}
