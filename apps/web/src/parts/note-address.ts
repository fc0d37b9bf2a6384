import { Access, type Note, type ProjectRef, reaches } from '@moothall/contracts';
import type { Visit } from '../visit/visits';
import { below } from './code-address';

/** The pages of records with notes, by type. */
const pages = new Map<Note['noteable_type'], string>([
  ['Issue', 'issues'],
  ['MergeRequest', 'merge_requests'],
  ['Snippet', 'snippets'],
]);

/** The page of the record that a note is on; undefined for a kind without one. */
export function recordOf(project: ProjectRef, { noteable_type, noteable_iid, noteable_id }: Note): string | undefined {
  const page = pages.get(noteable_type);
  return page && below(project, `${page}/${noteable_iid ?? noteable_id}`);
}

/** Which notes the visitor may change and delete. Source: docs/api/notes.md#1. */
export function changeableNotes(visit: Visit, project: ProjectRef): (note: Note) => boolean {
  const maintains = reaches(project, Access.Maintainer);
  return ({ author, system }) => !project.isArchived && !system && (maintains || author.id === visit.caller?.id);
}
