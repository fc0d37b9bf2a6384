import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(__dirname, '../../../..');
const read = (file: string) => readFileSync(path.join(root, file), 'utf8');

const toolsIn = (list: string) => [...read(list).matchAll(/'(tools\/[\w/-]+\.mjs)'/g)].map(([, file = '']) => file);
const lists = { release: toolsIn('tools/release.mjs'), 'npm package': toolsIn('tools/release/npm.mjs') };
const importsOf = (file: string) =>
  [...read(file).matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map(([, name = '']) =>
    path.join(path.dirname(file), name),
  );

describe.each(Object.entries(lists))('the %s', (_name, carried) => {
  it.each(carried)('contains the files that its %s loads', (file) => {
    expect(carried).toEqual(expect.arrayContaining(importsOf(file)));
  });

  it('is started as a checkout is', () => {
    expect(carried).toContain('tools/start.mjs');
  });
});
