import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describeCollections, renderIndexes } from './collections';

const page = readFileSync(path.resolve(__dirname, '../../../docs/mongodb-collections.md'), 'utf8');
const collections = describeCollections();
/** Found by other fields: notes by their record, an import by its id. */
const foundOtherwise = ['collaboration.notes', 'projects.group_imports'];
/** Collections of libs, without a schema. */
const shared = ['counters', 'leases', 'removals'];

describe('docs/mongodb-collections.md', () => {
  it('lists every index as the code makes it', () => {
    expect(page.split('<!-- indexes -->')[1]?.trim()).toBe(renderIndexes(collections));
  });

  // Records of a project or group are looked up when it is deleted or moved; without an index that reads the whole
  // collection.
  it('has an index for everything that belongs to a project or a group', () => {
    const lookedFor = collections.filter(({ name }) => !foundOtherwise.includes(name));
    const missing = lookedFor.flatMap(({ name, indexes, belongsTo }) =>
      belongsTo
        .filter((field) => !indexes.some((index) => new RegExp(`^\`${field}\\b`).test(index)))
        .map((field) => `${name}: ${field}`),
    );
    expect(missing).toEqual([]);
  });

  it('describes growth and shard key of every collection, and of no other', () => {
    const rows = page.split('<!-- collections -->')[1]!.trim().split('\n').slice(2);
    const named = rows.flatMap((row) => row.split('|')[1]!.trim().split(', '));
    expect([...named].sort()).toEqual([...collections.map(({ name }) => name), ...shared].sort());
  });
});
