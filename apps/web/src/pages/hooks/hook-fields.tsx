import type { webhookSwitches } from '@moothall/contracts';
import type { FieldValues } from '../../forms/changes';
import type { SentForm } from '../../forms/sent-form';
import { type FieldFacts, FieldList, sentValues } from '../../parts/field-list';
import { SecretField } from '../../parts/form';

const notSent = 'This server stores the switch for other programs. It does not send the event.';

/** The events of a webhook. Source: docs/api/hooks.md#3. */
const events: Record<keyof typeof webhookSwitches, { label: string; hint?: string }> = {
  push_events: { label: 'Pushes to branches' },
  tag_push_events: { label: 'Pushes of tags' },
  issues_events: { label: 'Issues' },
  confidential_issues_events: { label: 'Confidential issues' },
  note_events: { label: 'Comments' },
  confidential_note_events: { label: 'Confidential comments' },
  merge_requests_events: { label: 'Merge requests' },
  job_events: { label: 'Jobs' },
  pipeline_events: { label: 'Pipelines' },
  wiki_page_events: { label: 'Pages of the wiki' },
  deployment_events: { label: 'Deployments' },
  releases_events: { label: 'Releases' },
  milestone_events: { label: 'Milestones' },
  feature_flag_events: { label: 'Feature flags' },
  emoji_events: { label: 'Emoji reactions', hint: notSent },
  resource_access_token_events: { label: 'Access tokens that expire', hint: notSent },
  repository_update_events: { label: 'Updates of the repository' },
  vulnerability_events: { label: 'Vulnerabilities', hint: notSent },
};

/** The events as fields, each with the name of its switch. */
export const eventFields: readonly FieldFacts[] = Object.entries(events).map(([name, facts]) => ({
  ...{ name, is: true },
  ...facts,
}));

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

/** All fields of a webhook, except its secrets. */
export const hookFields: readonly FieldFacts[] = [...addressFields, ...eventFields, ...otherFields];

/** What the form for a new webhook shows at first. */
export const newHookValues: FieldValues = { push_events: 'true', enable_ssl_verification: 'true' };

/** The parameter `token` of a sent form, unless it is empty. The name `token` belongs to the form itself. */
export const sentToken = (sent: SentForm): FieldValues =>
  sent.text('secret_token') === '' ? {} : { token: sent.text('secret_token') };

/** The values of a sent form, except secrets. */
export const sentHook = (sent: SentForm): FieldValues => sentValues(hookFields, sent);

/** The fields of a form for a webhook. @param tokenHint about the secret token */
export const HookFields = ({ values, tokenHint }: { values: FieldValues; tokenHint: string }) => (
  <>
    <FieldList fields={addressFields} values={values} />
    <SecretField name="secret_token" label="Secret token" hint={tokenHint} />
    <fieldset>
      <legend>Events</legend>
      <FieldList fields={eventFields} values={values} />
    </fieldset>
    <FieldList fields={otherFields} values={values} />
  </>
);
