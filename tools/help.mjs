/** Each tool imports this first. `--help` prints the tool's first comment, `--version` prints the version; then the tool ends. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

const asked = process.argv.slice(2);
if (asked.includes('--help')) answer(headOf(readFileSync(process.argv[1], 'utf8')));
if (asked.includes('--version')) answer(readVersion());

function headOf(source) {
  const [, comment = ''] = /\/\*\*([\s\S]*?)\*\//.exec(source) ?? [];
  const lines = comment.split('\n').map((line) => line.replace(/^ ?\* ?/, '').trimEnd());
  return lines.join('\n').trim();
}

function readVersion() {
  return JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8')).version;
}

function answer(text) {
  process.stdout.write(`${text}\n`);
  process.exit(0);
}
