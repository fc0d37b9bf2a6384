import { finishJob } from '../ci/finish-job';
import { PageVisitor } from '../identity/page-visitor';
import { newUser, root, uniqueName } from '../server/connection';

/* Artifacts of a job: a visitor browses and downloads them; members keep and delete them. */

const evil = '<img src=x onerror=alert(1)>.txt';
const visitor = new PageVisitor();
const maintainer = new PageVisitor();
let base: string;

beforeAll(async () => {
  const user = await newUser('keeper');
  await maintainer.signIn(user.username, user.password);
  const name = uniqueName('artifacts');
  const project = await root.Projects.create({ name, path: name, visibility: 'public' });
  await root.ProjectMembers.add(project.id, 40, { userId: user.id });
  const job = { script: ['true'], artifacts: { paths: ['out'] } };
  await root.Commits.create(project.id, 'main', 'Add a job', [
    { action: 'create', filePath: '.gitlab-ci.yml', content: JSON.stringify({ build: job }) },
  ]);
  const { id } = await finishJob(project.id, { 'out/deep/a b#?.txt': 'built', [`out/${evil}`]: 'x'.repeat(1500) });
  base = `/${project.path_with_namespace}/-/jobs/${id}`;
});
const open = async (below: string) => {
  const answer = await visitor.load(base + below);
  return { status: answer.status, text: await answer.text() };
};

it('are browsed by folder, and their links lead to the files', async () => {
  const job = await open('');
  expect(job.text).toContain(`href="${base}/artifacts/browse"`);
  const top = await open('/artifacts/browse');
  expect(top.text).toContain(`href="${base}/artifacts/browse/out"`);
  const out = await open('/artifacts/browse/out');
  expect(out.text).toContain('1.5 KB');
  expect(out.text).not.toContain('<img src=x');
  const deep = await open('/artifacts/browse/out/deep');
  const [, link] = /href="([^"]*\/raw\/[^"]*)"/.exec(deep.text)!;
  const file = await visitor.load(link!);
  expect([file.status, await file.text()]).toEqual([200, 'built']);
  expect(file.headers.get('content-disposition')).toMatch(/^attachment/);
  expect((await open('/artifacts/file/out/deep/a%20b%23%3F.txt')).text).toBe('built');
  const whole = await visitor.load(`${base}/artifacts/download`);
  expect([whole.status, whole.headers.get('content-type')]).toEqual([200, 'application/zip']);
});

it.each(['/browse/none', '/browse/out/deep/none', '/raw/none', '/raw/out', '/nothing'])(
  'have nothing at %s',
  async (below) => {
    expect((await open(`/artifacts${below}`)).status).toBe(404);
  },
);

it('are kept and deleted by members', async () => {
  const shown = await maintainer.load(base);
  expect(await shown.clone().text()).toContain('deleted on');
  const kept = await maintainer.submit(shown, {}, 'keep');
  expect(await kept.clone().text()).not.toContain('deleted on');
  const deleted = await maintainer.submit(kept, {}, 'delete-artifacts');
  expect([deleted.status, (await deleted.text()).includes('artifacts/browse')]).toEqual([200, false]);
  expect((await open('/artifacts/browse')).status).toBe(404);
});
