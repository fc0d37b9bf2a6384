import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { type RunningMongodb, startEmbeddedMongo, startMongod } from '@moothall/infrastructure';
import { findProgram, removeTemporaryFolder, temporaryFolder } from '@moothall/processes';
import { git, gitText } from './git';
import { OwnServer } from './own-server';
import { main } from './start';
import { until } from './until';

jest.setTimeout(360_000);

const work = temporaryFolder('moving');
const started: OwnServer[] = [];
const mongodbs: RunningMongodb[] = [];

afterAll(async () => {
  for (const one of started) await one.kill();
  for (const { program } of mongodbs) await program.stop(0);
  await removeTemporaryFolder(work);
});

interface Project {
  id: number;
  path_with_namespace: string;
  open_issues_count: number;
}

async function start(server: OwnServer): Promise<OwnServer> {
  await server.start();
  started.push(server);
  return server;
}

async function startTarget(name: string, launch: typeof startMongod): Promise<string> {
  const folder = path.join(work, name);
  mkdirSync(folder, { mode: 0o700 });
  const mongodb = await launch({ dataFolder: folder, logFolder: folder, runFolder: folder });
  mongodbs.push(mongodb);
  return mongodb.uri;
}

/** Runs the command of an operator. */
async function move(dataFolder: string, uri: string): Promise<string> {
  const file = path.join(path.dirname(main), 'move/main.js');
  const env = { ...process.env, MOOTHALL_DATA_DIR: dataFolder };
  return (await promisify(execFile)(process.execPath, [file, uri], { env })).stdout;
}

function push(server: OwnServer, { path_with_namespace }: Project, file: string): string {
  const clone = path.join(work, file);
  const remote = new URL(`${server.url}/${path_with_namespace}.git`);
  [remote.username, remote.password] = ['root', server.token];
  git(work, ['clone', '--quiet', remote.href, clone]);
  writeFileSync(path.join(clone, file), file);
  git(clone, ['add', '.']);
  git(clone, ['commit', '--quiet', '-m', file]);
  git(clone, ['push', '--quiet', 'origin', 'HEAD:main']);
  return gitText(clone, ['rev-parse', 'HEAD']);
}

/** The answers that a client gets, without the URL of the server. */
async function tell(server: OwnServer, { id }: Project): Promise<string> {
  const lists = ['issues', 'labels', 'members', 'protected_branches', 'repository/branches', 'repository/commits'];
  const answers = await Promise.all(lists.map((list) => server.api('GET', `/projects/${id}/${list}`)));
  return JSON.stringify(answers).replaceAll(server.url, '');
}

it('a server whose database was moved to another MongoDB continues there', async () => {
  const first = await start(new OwnServer());
  const { dataFolder } = first;
  const project = (await first.api('POST', '/projects', { name: 'moves', initialize_with_readme: true })) as Project;
  const issues = `/projects/${project.id}/issues`;
  await first.api('POST', issues, { title: 'in the old database', labels: 'kept' });
  const pushed = push(first, project, 'before');
  const counted = async (server: OwnServer) =>
    ((await server.api('GET', `/projects/${project.id}`)) as Project).open_issues_count;
  await until('the count of issues', async () => (await counted(first)) === 1, 60_000);
  const before = await tell(first, project);
  expect(before).toContain(pushed);
  await first.end();

  const targets = [await startTarget('other', startEmbeddedMongo)];
  if (findProgram('mongod')) targets.push(await startTarget('mongod', startMongod));
  for (const uri of targets) {
    expect(await move(dataFolder, uri)).toMatch(/^All \d+ collections are there as they are here: /m);
  }
  // It would fail if this folder were still used.
  rmSync(path.join(dataFolder, 'embedded-mongo'), { recursive: true });
  const second = await start(new OwnServer({ MONGODB_URI: targets.at(-1)! }, [], dataFolder));
  expect(await tell(second, project)).toBe(before);
  expect(await counted(second)).toBe(1);
  expect(await second.api('POST', issues, { title: 'in the new one' })).toMatchObject({ iid: 2 });
  push(second, project, 'after');
  expect(await tell(second, project)).toContain(pushed);
  await second.stop();
});
