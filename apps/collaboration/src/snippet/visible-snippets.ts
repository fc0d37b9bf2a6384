import { Access, type Caller, type ProjectRef, type Visibility } from '@moothall/contracts';
import type { QueryFilter } from 'mongoose';
import type { ReadableScope } from '../parent/readable-projects';
import type { SnippetDocument } from './snippet.schema';

type Reader = Caller | undefined;

/** Visibilities that callers other than author and members may see. */
const openTo = (caller: Reader): Visibility[] => (caller && !caller.isExternal ? ['public', 'internal'] : ['public']);

const isMember = ({ accessLevel }: ProjectRef): boolean => accessLevel >= Access.Guest;

/**
 * Whether a caller may see a loaded snippet. For a project snippet they must be able to read the project.
 * @param project its project; undefined for personal snippets. See docs/api/snippets.md#1.
 */
export function isSnippetVisible(snippet: SnippetDocument, caller: Reader, project: ProjectRef | undefined): boolean {
  if (openTo(caller).includes(snippet.visibility)) return true;
  if (!caller) return false;
  return caller.isAdmin || caller.id === snippet.authorId || (project !== undefined && isMember(project));
}

/** The same for a project's list. */
export function visibleInProject(project: ProjectRef, caller: Reader): QueryFilter<SnippetDocument> {
  if (isMember(project) || caller?.isAdmin) return {};
  const open = { visibility: { $in: openTo(caller) } };
  return caller ? { $or: [open, { authorId: caller.id }] } : open;
}

/** The same for all snippets: personal ones and those of projects that the caller may read. */
export function visibleAnywhere(
  caller: Caller,
  { ids, hidden, memberIds }: ReadableScope,
): QueryFilter<SnippetDocument> {
  if (!ids) return { projectId: { $nin: hidden } };
  const readable = { $or: [{ projectId: null }, { projectId: { $in: ids } }] };
  const open = [{ visibility: { $in: openTo(caller) } }, { authorId: caller.id }, { projectId: { $in: memberIds } }];
  return { $and: [readable, { $or: open }] };
}
