import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Gitlab } from '@gitbeaker/rest';

/* Statements of docs/clients.md about the programs in these tests. */

const sources = path.resolve(__dirname, '..');
const page = readFileSync(path.resolve(sources, '../../../docs/clients.md'), 'utf8');
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' });
const tests = files
  .filter((file) => file.endsWith('.ts'))
  .map((file) => readFileSync(path.join(sources, file), 'utf8'))
  .join('\n');

/** Every resource of the installed package. */
const classes = Object.entries(new Gitlab({ host: 'http://127.0.0.1', token: 'none' }))
  .filter(([, value]) => typeof value === 'object' && value !== null && 'requester' in value)
  .map(([name]) => name);
const called = classes.filter((name) => new RegExp(`\\b${name}\\s*\\.[a-z]\\w*\\(`).test(tests));
const [, list = ''] = page.split('<!-- classes -->');
/** One per line, so that two changes of the list do not conflict. */
const listed = [...list.matchAll(/^- `(\w+)`$/gm)].map(([, name = '']) => name);

it('names each folder of tests with clients, and each script of another language', () => {
  const folders = new Set(
    files.filter((file) => /\.(e2e|client|server)\.ts$/.test(file)).map((file) => file.split(path.sep)[0]),
  );
  const scripts = files.filter((file) => /-day\.\w+$/.test(file));
  expect(scripts.length).toBeGreaterThan(0);
  expect([...folders, ...scripts].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

it('lists each class that no test calls, once, and none that the package does not have', () => {
  expect(called.length).toBeGreaterThan(0);
  expect(classes.filter((name) => !called.includes(name) && !listed.includes(name))).toEqual([]);
  expect(listed.filter((name, index) => !classes.includes(name) || listed.indexOf(name) !== index)).toEqual([]);
});
