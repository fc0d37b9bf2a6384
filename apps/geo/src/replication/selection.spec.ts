import type { GeoProject } from '@moothall/contracts';
import { isSelected, keyOf, type Selection } from './selection';

const project = {
  id: 1,
  namespace_id: 5,
  group_ids: [5, 3],
  repository_storage: 'default',
  repository_access_level: 'private',
} as GeoProject;
const all: Selection = { selectiveSyncType: null, selectiveSyncNamespaceIds: [], selectiveSyncShards: [] };

it.each<[boolean, Partial<Selection>]>([
  [true, {}],
  [true, { selectiveSyncNamespaceIds: [9], selectiveSyncShards: ['other'] }],
  [true, { selectiveSyncType: 'namespaces', selectiveSyncNamespaceIds: [9, 3] }],
  [false, { selectiveSyncType: 'namespaces', selectiveSyncNamespaceIds: [9] }],
  [false, { selectiveSyncType: 'namespaces' }],
  [true, { selectiveSyncType: 'shards', selectiveSyncShards: ['default'] }],
  [false, { selectiveSyncType: 'shards', selectiveSyncShards: ['other'] }],
])('is %s for a project with %j', (selected, given) => {
  expect(isSelected(project, 'code', { ...all, ...given })).toBe(selected);
});

it('copies no repository that is disabled', () => {
  expect(isSelected({ ...project, repository_access_level: 'disabled' }, 'code', all)).toBe(false);
});

it('copies wikis in which something was written, and that are switched on', () => {
  const of = (given: Partial<GeoProject>) => isSelected({ ...project, ...given }, 'wiki', all);
  expect(of({ has_wiki: true, wiki_access_level: 'private', repository_access_level: 'disabled' })).toBe(true);
  expect(of({ has_wiki: true, wiki_access_level: 'disabled' })).toBe(false);
  expect(of({ has_wiki: false, wiki_access_level: 'enabled' })).toBe(false);
  expect(of({ wiki_access_level: 'enabled' })).toBe(false);
});

it('is another when other projects are copied', () => {
  const of = (ids: number[]) => keyOf({ ...all, selectiveSyncType: 'namespaces', selectiveSyncNamespaceIds: ids });
  expect(of([1, 10, 2])).toBe(of([10, 2, 1]));
  expect(of([1])).not.toBe(of([2]));
  expect(keyOf({ ...all, selectiveSyncNamespaceIds: [1] })).toBe(keyOf(all));
});
