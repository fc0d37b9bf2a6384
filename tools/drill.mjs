/**
 * `npm run drill [-- -t <name>]`: puts servers under load through one fault after another, and prints what each came to as a
 * table. It has a network of its own where this user may have one, so that it can be cut.
 */
import path from 'node:path';
import { root, run, runTool, setUp } from './set-up.mjs';
import { installClock } from './test-programs.mjs';

const inOwnNetwork = [
  '--net',
  'sh',
  '-c',
  'ip link set lo up && iptables -w -L INPUT >/dev/null && ss -Ht >/dev/null && exec "$@"',
  'sh',
];

await runTool(() => {
  setUp();
  installClock();
  const mayCut = run('unshare', [...inOwnNetwork, 'true'], { stdio: 'ignore' }).status === 0;
  const jest = [path.join(root, 'node_modules/.bin/jest'), '--config', 'jest.config.js', '--rootDir', 'apps/e2e'];
  const wanted = [...jest, '--selectProjects', 'drill', ...process.argv.slice(2)];
  const [command, args] = mayCut ? ['unshare', [...inOwnNetwork, ...wanted]] : [wanted[0], wanted.slice(1)];
  const { status } = run(command, args, { env: { ...process.env, ...(mayCut && { DRILL_NETWORK: 'own' }) } });
  process.exitCode = status ?? 1;
});
