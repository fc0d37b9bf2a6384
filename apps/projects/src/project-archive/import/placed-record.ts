import {
  type EventRecordKind,
  eventRecordKinds,
  type NumberedKind,
  type ProjectRecordKind,
  present,
  type Visibility,
} from '@moothall/contracts';
import type { Row } from '../format/archive-format';
import type { FirstIds } from './project-import.schema';

interface Placing {
  firstIds: FirstIds;
  /** Visibilities that the importer may not use. */
  restricted: readonly Visibility[];
}

const isOfEvents = (kind: string): kind is EventRecordKind => (eventRecordKinds as string[]).includes(kind);

/** Limits a visibility to those that the importer may use. */
export const unrestricted = (visibility: Visibility, restricted: readonly Visibility[]): Visibility =>
  restricted.includes(visibility) ? 'private' : visibility;

/** A record with its reserved ids and those of the records that it names. */
export function placed(
  { firstIds, restricted }: Placing,
  kind: ProjectRecordKind | 'releases',
  record: unknown,
): unknown {
  const idOf = (of: NumberedKind, line: number) => present(firstIds[of], `the first id of ${of}`) + line - 1;
  if (kind === 'snippets') {
    const snippet = record as Row<'snippets'>;
    const visibility = unrestricted(snippet.visibility, restricted);
    return { ...snippet, id: idOf('snippets', snippet.id), visibility };
  }
  if (kind === 'notes') {
    const note = record as Row<'notes'>;
    const { id, discussion_id, noteable_type, noteable_iid } = note;
    return {
      ...note,
      id: idOf('notes', id),
      discussion_id: discussion_id === null ? null : idOf('notes', discussion_id),
      noteable_iid: noteable_type === 'Snippet' ? idOf('snippets', noteable_iid) : noteable_iid,
    };
  }
  if (!isOfEvents(kind)) return record;
  const event = record as Row<typeof kind>;
  return { ...event, id: idOf(kind, event.id) };
}
