import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

/** Clones a project into a folder, commits a file of that name and pushes it. */
export function push(running, { path_with_namespace }, name, folder) {
  const clone = path.join(folder, `clone-${name}`);
  const remote = new URL(`${running.url}/${path_with_namespace}.git`);
  [remote.username, remote.password] = ['root', running.token];
  const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  const git = (...args) => execFileSync('git', args, { cwd: clone, stdio: ['ignore', 2, 2] });
  execFileSync('git', ['clone', '--quiet', remote.href, clone]);
  writeFileSync(path.join(clone, name), name);
  git('add', '.');
  git(...who, 'commit', '--quiet', '-m', name);
  git('push', '--quiet', 'origin', 'HEAD');
}
