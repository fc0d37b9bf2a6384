import type { GeoProject } from '@moothall/contracts';
import type { GeoNodeDocument } from '../node/node.schema';
import type { RepositoryKind } from './replica-row.schema';

export type Selection = Pick<
  GeoNodeDocument,
  'selectiveSyncType' | 'selectiveSyncNamespaceIds' | 'selectiveSyncShards'
>;

/** Selection of a site that is not a node. */
export const everything: Selection = {
  selectiveSyncType: null,
  selectiveSyncNamespaceIds: [],
  selectiveSyncShards: [],
};

/**
 * Whether a site copies a repository of a project. Repositories of disabled features are not copied, since nobody can
 * see them.
 */
export function isSelected(project: GeoProject, kind: RepositoryKind, selection: Selection): boolean {
  if (kind === 'code' && project.repository_access_level === 'disabled') return false;
  if (kind === 'wiki' && (!project.has_wiki || project.wiki_access_level === 'disabled')) return false;
  return isAmongSelected(project, selection);
}

/** Whether a site copies the records of a project. */
export function isAmongSelected(project: GeoProject, selection: Selection): boolean {
  if (selection.selectiveSyncType === 'shards')
    return selection.selectiveSyncShards.includes(project.repository_storage);
  if (selection.selectiveSyncType !== 'namespaces') return true;
  return [project.namespace_id, ...project.group_ids].some((id) => selection.selectiveSyncNamespaceIds.includes(id));
}

/** Changes when the selection changes. */
export const keyOf = ({ selectiveSyncType, selectiveSyncNamespaceIds, selectiveSyncShards }: Selection): string =>
  JSON.stringify([
    selectiveSyncType,
    selectiveSyncType === 'namespaces' && selectiveSyncNamespaceIds.toSorted((a, b) => a - b),
    selectiveSyncType === 'shards' && selectiveSyncShards.toSorted(),
  ]);
