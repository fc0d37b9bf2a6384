import type { NamespaceDocument } from '../namespace/namespace.schema';
import { pathKeyOf } from '../namespace/routes';
import type { ProjectDocument } from './project.schema';

/** The fields of a project that depend on its place. */
export function deriveProject({ name, path }: { name: string; path: string }, namespace: NamespaceDocument) {
  const fullPath = `${namespace.fullPath}/${path}`;
  return {
    name,
    path,
    fullPath,
    pathKey: pathKeyOf(fullPath),
    nameWithNamespace: `${namespace.fullName} / ${name}`,
    namespaceId: namespace._id,
    namespaceKind: namespace.kind,
    groupIds: namespace.kind === 'group' ? [namespace._id, ...namespace.ancestorIds] : [],
    ...(namespace.ownerId !== undefined && { ownerId: namespace.ownerId }),
  } satisfies Partial<ProjectDocument>;
}
