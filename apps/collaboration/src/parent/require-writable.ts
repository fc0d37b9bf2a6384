import { type ProjectRef, projectErrors } from '@moothall/contracts';

/** @throws project.archived */
export function requireWritable(project: ProjectRef): void {
  if (project.isArchived) throw projectErrors.archived();
}
