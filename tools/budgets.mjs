/**
 * `npm run budgets [-- <part of a name>]`: what operations wait for at most when their caches are warm, the most
 * expensive first: commands of MongoDB, calls of services, published events, git processes, commands of Redis. `npm test`
 * holds these numbers; `npm run budgets:accept` measures them and writes apps/e2e/src/budgets/budgets.json.
 */
import './help.mjs';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './set-up.mjs';

const kinds = ['database', 'services', 'events', 'git', 'redis'];
const [part = ''] = process.argv.slice(2);
const budgets = JSON.parse(readFileSync(path.join(root, 'apps/e2e/src/budgets/budgets.json'), 'utf8'));
const totalOf = (spent) => Object.values(spent).reduce((sum, count) => sum + count, 0);
const rows = Object.entries(budgets)
  .filter(([name]) => name.includes(part))
  .sort(([, one], [, other]) => totalOf(other) - totalOf(one));

const line = (cells) => cells.map((cell) => String(cell).padStart(9)).join('');
console.log(`${line(['all', ...kinds])}  operation`);
for (const [name, spent] of rows)
  console.log(`${line([totalOf(spent), ...kinds.map((kind) => spent[kind] ?? '')])}  ${name}`);
