import type { FieldFacts } from '../../parts/field-list';

/** The fields of a deploy key that can be changed. */
export const keyFields: readonly FieldFacts[] = [
  { name: 'title', label: 'Title', required: true },
  { name: 'can_push', label: 'The key may push to the project', is: true },
];

/** The fields of a new deploy key. */
export const newKeyFields: readonly FieldFacts[] = [
  { name: 'key', label: 'Key', hint: 'The public key, such as ~/.ssh/id_ed25519.pub', is: 4, required: true },
  ...keyFields,
  { name: 'expires_at', label: 'Expires on', hint: 'Without a day, the key does not expire.', is: 'day' },
];
