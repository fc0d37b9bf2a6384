import type { GeoProject } from '@moothall/contracts';
import type { GeoNodeDocument } from '../node/node.schema';

export type Selection = Pick<
  GeoNodeDocument,
  'selectiveSyncType' | 'selectiveSyncNamespaceIds' | 'selectiveSyncShards'
>;

/** Whether a site copies a project. What has its repository switched off shows nobody one. */
export function isSelected(project: GeoProject, selection: Selection): boolean {
  if (project.repository_access_level === 'disabled') return false;
  if (selection.selectiveSyncType === 'shards')
    return selection.selectiveSyncShards.includes(project.repository_storage);
  if (selection.selectiveSyncType !== 'namespaces') return true;
  return [project.namespace_id, ...project.group_ids].some((id) => selection.selectiveSyncNamespaceIds.includes(id));
}

/** Another where something else is copied. */
export const keyOf = ({ selectiveSyncType, selectiveSyncNamespaceIds, selectiveSyncShards }: Selection): string =>
  JSON.stringify([
    selectiveSyncType,
    selectiveSyncType === 'namespaces' && selectiveSyncNamespaceIds.toSorted((a, b) => a - b),
    selectiveSyncType === 'shards' && selectiveSyncShards.toSorted(),
  ]);
