import type { FieldValues } from '../../forms/changes';
import { type FieldFacts, FieldList } from '../../parts/field-list';
import { HookSecrets, type KnownKeys } from './hook-secrets';

/** Where a hook sends its events. */
export const addressFields: readonly FieldFacts[] = [
  {
    name: 'url',
    label: 'URL',
    hint: 'The server sends a POST request to this address, by http or https.',
    is: 'url',
    required: true,
  },
  { name: 'name', label: 'Name' },
];

export const certificateField: FieldFacts = {
  name: 'enable_ssl_verification',
  label: 'Check the certificate of the receiver',
  is: true,
};

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
  certificateField,
];

type Events = readonly FieldFacts[];

/** All fields of a webhook with these events, except its secrets. */
export const hookFields = (events: Events): readonly FieldFacts[] => [...addressFields, ...events, ...otherFields];

/** What the form for a new webhook shows at first. */
export const newHookValues: FieldValues = { push_events: 'true', enable_ssl_verification: 'true' };

interface Props {
  address?: readonly FieldFacts[];
  events: Events;
  /** About the events. */
  eventsHint?: string;
  others?: readonly FieldFacts[];
  values: FieldValues;
  /** The hook that the form edits; undefined for a new one. */
  hook?: KnownKeys;
}

/** The fields of a form for a hook. */
export const HookFields = ({ address = addressFields, others = otherFields, ...props }: Props) => {
  const { events, eventsHint, values, hook } = props;
  return (
    <>
      <FieldList fields={address} values={values} />
      <HookSecrets hook={hook} />
      <fieldset>
        <legend>Events</legend>
        {eventsHint && <p class="hint">{eventsHint}</p>}
        <FieldList fields={events} values={values} />
      </fieldset>
      <FieldList fields={others} values={values} />
    </>
  );
};

/** What happens to the secrets of a hook with another URL. */
export const ChangedUrl = ({ url }: { url: string }) => (
  <p class="hint">
    If a new URL or a new variable leads to another server, this server removes the tokens, the custom headers and the
    variables, unless you enter new ones.
    {url.includes('*****@') && ' If you change the URL, replace ***** by the name and the password.'}
  </p>
);
