/**
 * `npm run rehearse:release [-- --from <commit>]`: uses the result of `npm run release` in an empty folder like a user
 * who downloaded it: compares checksums, unpacks, installs the packages, starts on a new data folder, and sends
 * requests. With a commit it also builds that, with its own Dockerfile, starts it, creates data, and starts the release
 * on these data. Takes minutes.
 */
import './help.mjs';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildImage, checkOut } from './release/image.mjs';
import { push } from './release/push.mjs';
import { Running } from './release/running.mjs';
import { install, isRegistryThere, unpack } from './release/unpacked.mjs';
import { print, root, runTool } from './set-up.mjs';

await runTool(async () => {
  const { from } = parseArgs({ options: { from: { type: 'string' } } }).values;
  const folder = mkdtempSync(path.join(tmpdir(), 'moothall-rehearsal-'));
  try {
    const release = unpack(path.join(root, 'release'), folder);
    if (!isRegistryThere(release)) {
      print('Skipped: the npm registry does not answer, and packages are installed from it.');
      return;
    }
    install(release);
    await startNew(release, path.join(folder, 'new'));
    if (from) await upgrade(release, await makeData(from, path.join(folder, 'old')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

async function startNew(release, folder) {
  const running = await Running.start(release, 'tools/start.mjs', path.join(folder, 'data'));
  const version = await running.api('GET', '/version');
  await work(running, 'first');
  await running.server.stop();
  print(`Started on a new data folder and answered in ${running.server.seconds} s: ${JSON.stringify(version)}`);
}

/** Creates data as a day of work would. @returns requests to repeat afterwards, and their responses */
async function makeData(commit, folder) {
  const checkout = path.join(folder, 'checkout');
  mkdirSync(checkout, { recursive: true });
  checkOut(commit, checkout);
  const image = buildImage(checkout, print);
  const running = await Running.start(image, 'apps/standalone/dist/main.js', path.join(folder, 'data'));
  print(`${commit} started in ${running.server.seconds} s.`);
  const { id } = await work(running, 'before');
  await running.api('POST', '/groups', { name: 'team', path: 'team' });
  await running.api('POST', '/users', {
    username: 'ada',
    name: 'Ada',
    email: 'ada@example.com',
    password: 'correct horse 9',
  });
  await running.api('POST', `/projects/${id}/hooks`, { url: 'http://example.com/hook', push_events: true });
  const lists = [
    'issues',
    'labels',
    'hooks',
    'members',
    'repository/branches',
    'repository/commits',
    'repository/tree',
  ];
  const paths = [
    ...lists.map((list) => `/projects/${id}/${list}`),
    `/projects/${id}/issues/1/notes`,
    '/groups',
    '/users?username=ada',
  ];
  const captured = await running.capture(paths);
  await running.server.stop();
  return { dataFolder: running.dataFolder, image, id, paths, captured };
}

/** A project, an issue with a note, and a push. */
async function work(running, name) {
  const project = await running.api('POST', '/projects', { name, initialize_with_readme: true });
  await running.api('POST', `/projects/${project.id}/issues`, { title: `issue of ${name}`, labels: 'kept' });
  await running.api('POST', `/projects/${project.id}/issues/1/notes`, { body: 'noted' });
  push(running, project, name, path.dirname(running.dataFolder));
  return project;
}

async function upgrade(release, { dataFolder, id, paths, captured }) {
  const running = await Running.start(release, 'tools/start.mjs', dataFolder);
  const now = await running.capture(paths);
  const [was, is] = [captured, now].map((text) => JSON.parse(text));
  for (const [index, rest] of paths.entries()) compare(rest, was[index], is[index]);
  const { iid } = await running.api('POST', `/projects/${id}/issues`, { title: 'after the upgrade' });
  if (iid !== 2) throw new Error(`the second issue has number ${iid}`);
  await work(running, 'after');
  await running.server.stop();
  print(
    `Upgraded: started on the old data folder in ${running.server.seconds} s, answers ${paths.length} requests as before, and continues.`,
  );
}

/** Fields may be new; existing ones must be unchanged. */
function compare(where, was, is) {
  if (was === null || typeof was !== 'object') {
    if (was !== is) throw new Error(`${where} was ${JSON.stringify(was)} and is ${JSON.stringify(is)}`);
    return;
  }
  for (const [name, value] of Object.entries(was)) compare(`${where} ${name}`, value, is?.[name]);
  if (Array.isArray(was) && was.length !== is.length)
    throw new Error(`${where} had ${was.length} and has ${is.length}`);
}
