import type { NamespaceDocument } from './namespace.schema';
import { pathKeyOf } from './routes';

/** Where a group is to be. */
export interface GroupLocation {
  name: string;
  path: string;
  /** Null at the root. */
  parent: NamespaceDocument | null;
}

/** What of a group follows from where it is. */
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
