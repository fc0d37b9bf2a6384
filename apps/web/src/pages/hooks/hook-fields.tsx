import type { FieldValues } from '../../forms/changes';
import type { SentForm } from '../../forms/sent-form';
import { type FieldFacts, FieldList } from '../../parts/field-list';
import { SecretField } from '../../parts/form';

const addressFields: readonly FieldFacts[] = [
  {
    name: 'url',
    label: 'URL',
    hint: 'The server sends a POST request to this address, by http or https.',
    required: true,
  },
  { name: 'name', label: 'Name' },
];

const otherFields: readonly FieldFacts[] = [
  {
    name: 'push_events_branch_filter',
    label: 'Branches',
    hint: 'The webhook gets only pushes to these branches. Leave it empty for all branches.',
  },
  {
    name: 'branch_filter_strategy',
    label: 'How the branches are compared',
    is: [
      { value: 'wildcard', label: 'As a name, in which * is any text' },
      { value: 'regex', label: 'As a regular expression' },
      { value: 'all_branches', label: 'Not at all: send pushes to all branches' },
    ],
  },
  { name: 'enable_ssl_verification', label: 'Check the certificate of the receiver', is: true },
];

type Events = readonly FieldFacts[];

/** All fields of a webhook with these events, except its secrets. */
export const hookFields = (events: Events): readonly FieldFacts[] => [...addressFields, ...events, ...otherFields];

/** What the form for a new webhook shows at first. */
export const newHookValues: FieldValues = { push_events: 'true', enable_ssl_verification: 'true' };

/** The parameter `token` of a sent form, unless it is empty. The name `token` belongs to the form itself. */
export const sentToken = (sent: SentForm): FieldValues =>
  sent.text('secret_token') === '' ? {} : { token: sent.text('secret_token') };

interface Props {
  events: Events;
  values: FieldValues;
  /** About the secret token. */
  tokenHint: string;
}

/** The fields of a form for a webhook. */
export const HookFields = ({ events, values, tokenHint }: Props) => (
  <>
    <FieldList fields={addressFields} values={values} />
    <SecretField name="secret_token" label="Secret token" hint={tokenHint} />
    <fieldset>
      <legend>Events</legend>
      <FieldList fields={events} values={values} />
    </fieldset>
    <FieldList fields={otherFields} values={values} />
  </>
);
