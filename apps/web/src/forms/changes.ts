import { createHash } from 'node:crypto';
import { commonErrors } from '@moothall/contracts';
import type { SentForm } from './sent-form';

/** The fields of a record, as its form shows them. */
export type FieldValues = Readonly<Record<string, string>>;

const changedMeanwhile = 'was changed by somebody else meanwhile; look at it, and send the form again to replace it';

const hashOf = (text: string): string => createHash('sha256').update(text.replaceAll('\r\n', '\n')).digest('base64url');

/** The hidden field `was`: the values that a form shows at first. */
export const hashesOf = (values: FieldValues): string =>
  JSON.stringify(Object.fromEntries(Object.entries(values).map(([field, text]) => [field, hashOf(text)])));

/**
 * The same of a form that is shown again.
 * @param showsNow whether a field shows the value of now, or the user sees that it differs
 */
export function hashesAgain(sent: SentForm, now: FieldValues, showsNow: (field: string) => boolean): string {
  const was = readHashes(sent.text('was'));
  const hashes = Object.entries(now).map(([field, text]) => [field, showsNow(field) ? hashOf(text) : was[field]]);
  return JSON.stringify(Object.fromEntries(hashes));
}

/** Whether a sent field has the value that it was shown with; false for a box that is not checked. */
export function isUntouched(sent: SentForm, field: string): boolean {
  const hash = readHashes(sent.text('was'))[field];
  const text = sent.text(field);
  return sent.has(field) && (hash === hashOf(text) || (text === '1' && hash === hashOf('true')));
}

/**
 * The fields that the user changed, so that a form does not restore old values of others.
 * @param sent with `was`
 * @param now the values of the sent form
 * @param current those of the record
 * @throws common.conflict, for each field that somebody else changed as well
 */
export function changesOf(sent: SentForm, now: FieldValues, current: FieldValues): FieldValues {
  const was = readHashes(sent.text('was'));
  const changed = Object.entries(now).filter(
    ([field, text]) => was[field] !== undefined && was[field] !== hashOf(text),
  );
  const conflicts = changed.filter(([field, text]) => {
    const hash = hashOf(current[field] ?? '');
    return hash !== was[field] && hash !== hashOf(text);
  });
  if (conflicts.length > 0)
    throw commonErrors.conflict(Object.fromEntries(conflicts.map(([field]) => [field, [changedMeanwhile]])));
  return Object.fromEntries(changed);
}

/** No hashes for a form that no page has shown. */
function readHashes(text: string): Record<string, unknown> {
  try {
    const read: unknown = JSON.parse(text);
    return typeof read === 'object' && read !== null ? { ...read } : {};
  } catch {
    return {};
  }
}
