/** cgit and `git http-backend` behind lighttpd, as in Debian, on a mirror of a repository. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort, memoryOf } from './stack.mjs';

const cgit = '/usr/lib/cgit/cgit.cgi';

function configure(folder, port) {
  const rc = path.join(folder, 'cgitrc');
  // Without a cache, the default of cgit.
  const repo = ['repo.url=peer', `repo.path=${folder}/peer.git`, 'repo.defbranch=main'];
  writeFileSync(rc, ['virtual-root=/cgit', 'snapshots=tar.gz', ...repo, ''].join('\n'));
  const settings = [
    'server.modules = ("mod_alias", "mod_setenv", "mod_cgi")',
    'server.bind = "127.0.0.1"',
    `server.port = ${port}`,
    `server.document-root = "${folder}"`,
    `alias.url = ("/cgit" => "${cgit}", "/git" => "/usr/lib/git-core/git-http-backend")`,
    `setenv.set-environment = ("CGIT_CONFIG" => "${rc}", "GIT_PROJECT_ROOT" => "${folder}", "GIT_HTTP_EXPORT_ALL" => "1")`,
    'cgi.assign = ("cgit.cgi" => "", "git-http-backend" => "")',
  ];
  const file = path.join(folder, 'lighttpd.conf');
  writeFileSync(file, `${settings.join('\n')}\n`);
  return file;
}

/** @param folder contains `peer.git` @returns its URL, its memory, and a function to stop it */
export async function startCgit(folder) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const server = spawn('lighttpd', ['-D', '-f', configure(folder, port)], { stdio: ['ignore', 'ignore', 'inherit'] });
  const isReady = () =>
    fetch(`${url}/cgit/peer/`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (server.exitCode === null && !(await isReady())) await delay(50);
  if (server.exitCode !== null) throw new Error(`lighttpd ended with ${server.exitCode}`);
  return {
    url,
    memory: () => memoryOf(server.pid),
    async stop() {
      server.kill();
      await once(server, 'exit');
    },
  };
}
