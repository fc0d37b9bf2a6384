import type { NamespaceDocument } from './namespace.schema';
import { pathKeyOf } from './routes';

/** The place of a group. */
export interface GroupLocation {
  name: string;
  path: string;
  /** Null at the root. */
  parent: NamespaceDocument | null;
}

/** The fields of a group that depend on its place. */
export function deriveGroup({ name, path, parent }: GroupLocation) {
  const fullPath = parent ? `${parent.fullPath}/${path}` : path;
  return {
    name,
    path,
    fullPath,
    pathKey: pathKeyOf(fullPath),
    fullName: parent ? `${parent.fullName} / ${name}` : name,
    parentId: parent?._id ?? null,
    ancestorIds: parent ? [parent._id, ...parent.ancestorIds] : [],
  };
}
