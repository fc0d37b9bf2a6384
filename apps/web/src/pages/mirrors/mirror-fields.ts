import type { FieldFacts } from '../../parts/field-list';

/** The fields of a push mirror that can be changed. */
export const mirrorFields: readonly FieldFacts[] = [
  { name: 'enabled', label: 'Enabled', is: true },
  { name: 'only_protected_branches', label: 'Push only protected branches', is: true },
  {
    name: 'keep_divergent_refs',
    label: 'Keep branches and tags that changed on the other server',
    hint: 'Otherwise a push overwrites them.',
    is: true,
  },
];

/** The fields of a new push mirror. */
export const newMirrorFields: readonly FieldFacts[] = [
  {
    name: 'url',
    label: 'URL',
    hint: 'http, https, ssh or git. It may contain a name and a password, as in https://name:password@example.com/project.git.',
    is: 'url',
    required: true,
  },
  ...mirrorFields,
];
