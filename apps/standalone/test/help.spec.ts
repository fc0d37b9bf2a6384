import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../..');
const { scripts, version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
  version: string;
};
/** Each command of package.json that is a program of this repository, with what `node` runs for it. */
const commands = Object.entries(scripts).flatMap(([name, command]) =>
  command.startsWith('node ') ? [[name, command.split(' ').slice(1)] as const] : [],
);

/** Without PATH, so a command that starts its work fails. */
const run = (args: readonly string[]) =>
  execFileSync(process.execPath, args, { cwd: root, encoding: 'utf8', env: { PATH: '' }, timeout: 20_000 });

it.each(commands)('npm run %s prints its usage', (name, args) => {
  const written = name === 'start' || name === 'test' ? `npm ${name}` : `npm run ${name}`;
  expect(run([...args, '--help'])).toContain(written);
});

// Tools import tools/help.mjs, and programs of the server call run-command.ts: these print both.
it.each(['tools/test.mjs', 'apps/standalone/dist/doctor/main.js'])('%s prints its version', (program) => {
  expect(run([program, '--version'])).toBe(`${version}\n`);
});

it('npm start --help lists every option', () => {
  const source = readFileSync(path.join(root, 'apps/standalone/src/command-line.ts'), 'utf8');
  const [, options = ''] = /options: \{([\s\S]*?)\n {6}\}/.exec(source) ?? [];
  const names = [...options.matchAll(/^ *'?([a-z-]+)'?: \{ type/gm)].map(([, name]) => `--${name}`);
  expect(names).toHaveLength(6);
  const help = run(['tools/start.mjs', '--help']);
  expect(names.filter((name) => !help.includes(name))).toEqual([]);
});

it.each(['packages', 'builds'])('the set-up prints how many %s are done', (kind) => {
  const { stderr } = spawnSync(process.execPath, ['tools/progress.mjs', kind, '0'], { cwd: root, encoding: 'utf8' });
  expect(stderr).toMatch(/^ {2}([\d,]+) of \1 (npm packages|parts)$/m);
});
