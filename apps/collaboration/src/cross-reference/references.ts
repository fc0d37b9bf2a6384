import { type EventRecord, type NoteableType, referencesWritten } from '@moothall/contracts';
import { newEvent } from '@moothall/database';

/** A record that a text refers to: `#12`, `!3`, `project#12` of the same group, `group/project!3`. */
export interface Reference {
  /** As written in the text; null for a record of the same project. */
  project: string | null;
  type: 'Issue' | 'MergeRequest';
  iid: number;
}

/** Limit of references that are followed in one text. */
const followed = 50;

const code = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g;
// The character before decides whether it is a reference: it must not be part of a word, a URL or an HTML entity.
const reference = /(?<![\w./&-])([\w./-]{0,255})([#!])(\d{1,15})(?!\w)/g;
const path = /^\w[\w.-]*(?:\/\w[\w.-]*)*$/;

/** All references in texts, each once; code is skipped. */
export function referencesIn(...texts: (string | null | undefined)[]): Reference[] {
  const found = new Map<string, Reference>();
  for (const text of texts) {
    if (!text || !/[#!]\d/.test(text)) continue;
    for (const [whole, project = '', sign, iid] of text.replace(code, ' ').matchAll(reference)) {
      if (found.size === followed) break;
      if (project !== '' && !path.test(project)) continue;
      const type = sign === '#' ? 'Issue' : 'MergeRequest';
      if (Number(iid) > 0) found.set(whole, { project: project || null, type, iid: Number(iid) });
    }
  }
  return [...found.values()];
}

interface Source {
  type: NoteableType;
  id: number;
  iid: number | null;
  projectId: number | null;
}

/** @returns the events for the references in the texts of a record */
export function eventsOfReferences(
  { type, id, iid, projectId }: Source,
  userId: number,
  ...texts: (string | null | undefined)[]
): EventRecord[] {
  if ((type !== 'Issue' && type !== 'MergeRequest') || projectId === null || iid === null) return [];
  const references = referencesIn(...texts);
  if (references.length === 0) return [];
  const source = { type, id, iid };
  return [newEvent(referencesWritten, { user_id: userId, project_id: projectId, source, references })];
}
