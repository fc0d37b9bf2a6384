import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import type { Browser, Page } from 'playwright-core';
import { newRunner, runOneJob } from '../ci/run-job';
import { fill, launchBrowser, newPageIn, noScript, press, signIn } from '../identity/chromium';
import { makeSshKey } from '../repository/ssh-key';
import { connection, newUser, uniqueName } from '../server/connection';
import { git } from '../server/git';
import { until } from '../server/until';

/* A day of a developer and a colleague, in browsers without scripts, with git and a runner. */

jest.setTimeout(60_000);

const patienceMs = 20_000;

let browser: Browser;
let page: Page;
let folder: string;
let clone: string;
/** A file that the job of the pipeline waits for. */
let go: string;
let ada: Awaited<ReturnType<typeof newUser>>;
let bob: typeof ada;
let running: Promise<void> | undefined;
const name = uniqueName('day');
const projectPath = () => `/${ada.username}/${name}`;

beforeAll(async () => {
  folder = temporaryFolder('day');
  clone = path.join(folder, 'clone');
  go = path.join(folder, 'go');
  [browser, ada, bob] = await Promise.all([launchBrowser(), newUser('ada'), newUser('bob')]);
  page = await newPageOfDay();
});
afterAll(async () => {
  await browser?.close();
  // The job ends, also if the test has failed before.
  writeFileSync(go, '');
  await running;
  await removeTemporaryFolder(folder);
});

/** With a timeout shorter than that of the test, so that a failure names the step. */
async function newPageOfDay(): Promise<Page> {
  const opened = await newPageIn(browser, noScript);
  opened.setDefaultTimeout(patienceMs);
  return opened;
}

const follow = (link: string) => page.getByRole('link', { name: link, exact: true }).first().click();
const heading = (text: string | RegExp) => page.getByRole('heading', { name: text }).first().waitFor();
/** Sees a text, loading the page again until it shows it: services learn of pushes by events. */
const sees = (text: string | RegExp) =>
  until(
    `${text} at ${page.url()}`,
    async () => {
      if ((await page.getByText(text).count()) > 0) return true;
      await page.reload();
      return undefined;
    },
    patienceMs,
  );

function commit(message: string, files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(clone, file)), { recursive: true });
    writeFileSync(path.join(clone, file), text);
  }
  git(clone, ['add', '.']);
  git(clone, ['commit', '--quiet', '-m', message]);
}

async function inAnotherBrowser(work: () => Promise<void>): Promise<void> {
  const own = page;
  page = await newPageOfDay();
  await work();
  await page.close();
  page = own;
}

it('a day of work', async () => {
  const key = makeSshKey(folder);
  await page.goto('/');
  await follow('Sign in');
  await signIn(page, ada);
  const token = await createToken();
  await addKey(key.publicKey);
  await createProject();
  await pushFirst(token);
  await addMember(bob.username);
  await openIssue();
  await pushBranch(key.env);
  const request = await openMergeRequest();
  await inAnotherBrowser(() => review(request, bob));
  await watchJob();
  await merge(request);
  await release();
  await openFile();
});

async function createToken(): Promise<string> {
  await heading('Your work');
  await page.getByText(ada.username, { exact: true }).first().click();
  await follow('Settings');
  await follow('Access tokens');
  await fill(page, 'Name', 'for git');
  await page.locator('input[value="write_repository"]').check();
  await press(page, 'Create token');
  return page.locator('#issued').inputValue();
}

async function addKey(key: string): Promise<void> {
  await follow('SSH keys');
  await fill(page, 'Key', key);
  await fill(page, 'Title', 'laptop');
  await press(page, 'Add key');
  await page.getByText('laptop').first().waitFor();
}

async function createProject(): Promise<void> {
  await follow('Moothall');
  await follow('New project');
  await fill(page, 'Name', name);
  await page.getByLabel(/^Create a README/).uncheck();
  await press(page, 'Create project');
  await heading('Push your files');
}

/** Over HTTP, to the address that the page shows. */
async function pushFirst(token: string): Promise<void> {
  const commands = await page.getByLabel('Commands').textContent();
  const remote = new URL(/git remote add origin (\S+)/.exec(commands!)![1]!);
  [remote.username, remote.password] = [ada.username, token];
  mkdirSync(clone);
  git(clone, ['init', '--quiet', '--initial-branch=main']);
  git(clone, ['remote', 'add', 'origin', remote.href]);
  const waiting = `for i in $(seq 400); do [ -e '${go}' ] && break; sleep 0.1; done`;
  const job = { rules: [{ if: '$CI_COMMIT_BRANCH == "spokes"' }], script: ['echo first', waiting, 'echo second'] };
  commit('Add the wheel', {
    'README.md': '# The wheel\n\nIt turns.\n',
    'src/wheel.ts': 'export const spokes = 5;\n',
    '.gitlab/issue_templates/Bug.md': '## What happened\n',
    '.gitlab-ci.yml': JSON.stringify({ test: job }),
  });
  git(clone, ['push', '--quiet', '-u', 'origin', 'main']);
  await page.reload();
  await sees('It turns.');
}

async function addMember(username: string): Promise<void> {
  await follow('Members');
  await page.getByText('Add a member', { exact: true }).click();
  await fill(page, 'Username', username);
  await page.locator('#add-member--access_level').selectOption('30');
  await press(page, 'Add to the project');
}

/** From a template, with a comment. */
async function openIssue(): Promise<void> {
  await follow('Issues');
  await follow('New issue');
  await follow('Bug');
  await fill(page, 'Title', 'The wheel has five spokes');
  expect(await page.getByLabel('Description').inputValue()).toBe('## What happened\n');
  await press(page, 'Create issue');
  await heading('The wheel has five spokes');
  await fill(page, 'Comment', 'It needs **six**.');
  await press(page, 'Comment');
  await page.locator('strong', { hasText: 'six' }).waitFor();
}

/** Over SSH, to the address that the page shows. */
async function pushBranch(env: Record<string, string>): Promise<void> {
  await page.goto(projectPath());
  const address = await page.locator('code', { hasText: 'ssh://' }).textContent();
  git(clone, ['remote', 'set-url', 'origin', address!.replace('git clone ', '')]);
  git(clone, ['switch', '--quiet', '-c', 'spokes']);
  commit('Add a spoke', { 'src/wheel.ts': 'export const spokes = 6;\n' });
  git(clone, ['push', '--quiet', '-u', 'origin', 'spokes'], env);
}

/** @returns its address */
async function openMergeRequest(): Promise<string> {
  await follow('Merge requests');
  await follow('New merge request');
  await fill(page, 'Source branch', 'spokes');
  await press(page, 'Continue');
  await fill(page, 'Description', 'Closes #1');
  await press(page, 'Create merge request');
  await heading('Add a spoke');
  return page.url();
}

/** Comments on a line, and approves. */
async function review(request: string, user: typeof bob): Promise<void> {
  await page.goto(request);
  await follow('sign in');
  await signIn(page, user);
  await follow('Changes');
  await page.locator('.add a').first().click();
  await fill(page, 'Comment on line 1', 'Why not eight?');
  await press(page, 'Comment');
  await page.getByText('Why not eight?').waitFor();
  await page.goto(request);
  await press(page, 'Approve');
  await page.getByText('Approved by').first().waitFor();
}

/** Follows the log of a job of the pipeline: without scripts, the browser loads the page again by itself. */
async function watchJob(): Promise<void> {
  const { id } = await ada.client.Projects.show(projectPath().slice(1));
  running = runOneJob(await newRunner(id, connection.token));
  await follow('Pipelines');
  await sees(/^Pipeline #/);
  await page.getByText(/^Pipeline #/).click();
  await follow('test');
  await sees('Follow the log');
  await follow('Follow the log');
  const log = page.getByLabel('Log');
  await log.getByText('first').first().waitFor();
  expect(await log.textContent()).not.toContain('second');
  writeFileSync(go, '');
  await running;
  await log.getByText('second').first().waitFor();
  await page.getByText('success', { exact: true }).waitFor();
}

/** This closes the issue. */
async function merge(request: string): Promise<void> {
  await page.goto(request);
  await page.getByText('Why not eight?').waitFor();
  await press(page, 'Merge');
  await page.getByText('merged', { exact: true }).first().waitFor();
  await page.goto(`${projectPath()}/-/issues/1`);
  await sees(/^closed$/);
}

async function release(): Promise<void> {
  await follow('Releases');
  await follow('New release');
  await fill(page, 'Tag name', 'v1.0');
  await fill(page, 'Description', 'The first wheel with **six** spokes.');
  await press(page, 'Create release');
  await heading('v1.0');
}

async function openFile(): Promise<void> {
  await follow('Files');
  await follow('src');
  await follow('wheel.ts');
  await page.getByText('spokes = 6').waitFor();
}
