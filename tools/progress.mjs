/**
 * `node tools/progress.mjs packages|builds <since>`: set-up.mjs runs it while it waits for an installation or a build. It prints to
 * stderr how much is done: on one line of a terminal, else after each quarter. It ends when all is done, or on SIGTERM.
 */
import { statSync } from 'node:fs';
import path from 'node:path';
import { printStatus, wantedPackages, wantedProjects } from './set-up.mjs';

const kinds = {
  packages: { about: 'npm packages', files: () => wantedPackages().map((folder) => path.join(folder, 'package.json')) },
  builds: { about: 'parts', files: () => wantedProjects().map((folder) => path.join(folder, 'dist')) },
};

const [kind, since] = process.argv.slice(2);
const { about, files } = kinds[kind];
const all = files();
let shown = 0;

function show() {
  const { length } = all.filter(isDone);
  const quarter = Math.floor((4 * length) / all.length);
  const text = `  ${length.toLocaleString('en')} of ${all.length.toLocaleString('en')} ${about}`;
  if (process.stderr.isTTY) process.stderr.write(`\r${text}${length === all.length ? '\n' : ''}`);
  else if (quarter > shown) printStatus(text);
  shown = quarter;
  if (length === all.length) process.exit();
}

function isDone(file) {
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && found.mtimeMs >= Number(since);
}

process.on('SIGTERM', () => {
  show();
  if (process.stderr.isTTY) printStatus('');
  process.exit();
});
setInterval(show, 500);
show();
