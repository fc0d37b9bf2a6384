import type { findPath, GroupRef, OutputOf, ProjectRef } from '@moothall/contracts';

/** A file, folder or submodule of a commit, as the repository found it. */
export type Found = OutputOf<typeof findPath>;

/** The path of a page below `/-` of a project. @param parts texts of users, which may have slashes */
export function below(project: Pick<ProjectRef, 'fullPath'>, page: string, ...parts: string[]): string {
  const segments = parts.filter((part) => part !== '').flatMap((part) => part.split('/'));
  return [`/${project.fullPath}/-/${page}`, ...segments.map(encodeURIComponent)].join('/');
}

/** The path of a page below `/-` of a group. */
export const belowGroup = ({ fullPath }: Pick<GroupRef, 'fullPath'>, page: string): string =>
  `/groups/${fullPath}/-/${page}`;

/** The last segment of a path. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1);
