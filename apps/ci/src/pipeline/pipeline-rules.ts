import { Access, type Caller, commonErrors, forbidden, type ProjectRef, projectErrors } from '@moothall/contracts';

/** Whether a caller sees pipelines, jobs and schedules. The gateway has seen to it that they read the project. */
export const mayRead = (project: ProjectRef): boolean =>
  project.accessLevel >= Access.Developer || project.publicBuilds;

/** @throws common.forbidden, common.unauthorized if a sign-in could help. See docs/api/pipelines.md#2 */
export function requireReader(project: ProjectRef, caller: Caller | undefined): void {
  if (!mayRead(project)) throw caller ? forbidden() : commonErrors.unauthorized();
}

/** @throws the given error, if a single record stays hidden */
export function requireReaderOr(project: ProjectRef, absent: () => Error): void {
  if (!mayRead(project)) throw absent();
}

/** For changes that maintainers may make to all, and developers to their own. @throws common.forbidden */
export function requireMaker(project: ProjectRef, caller: Caller, makerId: number | null): void {
  if (project.accessLevel < Access.Maintainer && makerId !== caller.id) throw forbidden();
}

/** Whether a project's pipelines run at all. */
export const runsPipelines = (project: ProjectRef): boolean =>
  !project.isArchived && project.features.builds !== 'disabled';

/** @throws project.archived */
export function requireActive(project: ProjectRef): void {
  if (project.isArchived) throw projectErrors.archived();
}
