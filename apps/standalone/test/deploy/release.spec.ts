import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

const carried = [...read('tools/release.mjs').matchAll(/'(tools\/[\w/-]+\.mjs)'/g)].map(([, file = '']) => file);
const importsOf = (file: string) =>
  [...read(file).matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, name = '']) =>
    path.join(path.dirname(file), name),
  );

it.each(carried)('a release has what its %s loads', (file) => {
  expect(carried).toEqual(expect.arrayContaining(importsOf(file)));
});

it('a release is started as a checkout is', () => {
  expect(carried).toContain('tools/start.mjs');
});
