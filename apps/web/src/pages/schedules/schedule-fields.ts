import type { FieldFacts } from '../../parts/field-list';

/** The fields of a schedule. @param branches as suggestions */
export const scheduleFields = (branches: readonly string[]): readonly FieldFacts[] => [
  { name: 'description', label: 'Description', required: true },
  { name: 'ref', label: 'Branch or tag', suggestions: branches, required: true },
  {
    name: 'cron',
    label: 'When',
    hint: 'Minute, hour, day of the month, month and day of the week, as in 0 4 * * mon-fri; or @daily.',
    required: true,
  },
  { name: 'cron_timezone', label: 'Time zone', hint: 'As in Europe/Berlin.' },
  { name: 'active', label: 'Active', is: true },
];
