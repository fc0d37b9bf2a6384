import { Access, type ProjectRef, reaches, type Snippet, updateProjectSnippet } from '@moothall/contracts';
import type { Visit } from '../../visit/visits';

/** Whether a visitor may create personal snippets. Source: docs/api/snippets.md#1. */
export const mayCreate = ({ caller }: Visit): boolean => caller !== undefined && !caller.isExternal;

/** Whether a visitor may change a personal snippet. */
export const mayChange = ({ caller }: Visit, { author }: Snippet): boolean =>
  caller !== undefined && (caller.isAdmin || caller.id === author.id);

/** The same of a snippet of a project. */
export const mayChangeInProject = async (visit: Visit, project: ProjectRef, { author }: Snippet): Promise<boolean> =>
  (await visit.may(updateProjectSnippet, project)) &&
  (author.id === visit.caller?.id || reaches(project, Access.Maintainer));
