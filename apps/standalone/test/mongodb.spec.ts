import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describeCollections, renderIndexes } from './collections';

const page = readFileSync(path.resolve(__dirname, '../../../docs/mongodb.md'), 'utf8');
const collections = describeCollections();
/** Kept without a schema, by libs. */
const shared = ['counters', 'leases', 'removals'];

describe('docs/mongodb.md', () => {
  it('lists every index as the code makes it', () => {
    expect(page.split('<!-- indexes -->')[1]?.trim()).toBe(renderIndexes(collections));
  });

  it('says of every collection how it grows and by what it is sharded, and of no other', () => {
    const rows = page.split('<!-- collections -->')[1]!.trim().split('\n').slice(2);
    const named = rows.flatMap((row) => row.split('|')[1]!.trim().split(', '));
    expect([...named].sort()).toEqual([...collections.map(({ name }) => name), ...shared].sort());
  });
});
