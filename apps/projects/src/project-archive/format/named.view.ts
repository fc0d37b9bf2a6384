import type { ProjectRef } from '@moothall/contracts';

/** A project in answers about its export and import. */
export const viewNamed = (project: ProjectRef) => ({
  id: project.id,
  description: project.description,
  name: project.name,
  name_with_namespace: project.nameWithNamespace,
  path: project.path,
  path_with_namespace: project.fullPath,
  created_at: project.createdAt,
});
