import type { SystemHook } from '@moothall/contracts';
import type { FieldValues } from '../../forms/changes';
import type { SentForm } from '../../forms/sent-form';
import { type FieldFacts, FieldList } from '../../parts/field-list';
import { SecretField } from '../../parts/form';
import { Moment } from '../../parts/time';

const addressFields: readonly FieldFacts[] = [
  {
    name: 'url',
    label: 'URL',
    hint: 'The server sends a POST request to this address, by http or https.',
    required: true,
  },
  { name: 'name', label: 'Name' },
  { name: 'description', label: 'Description', is: 3 },
];

/** The events that a system hook can be without. */
export const eventFields: readonly FieldFacts[] = [
  {
    name: 'repository_update_events',
    label: 'Updates of repositories',
    hint: 'One event for all branches and tags of a push.',
    is: true,
  },
  { name: 'push_events', label: 'Pushes to branches', is: true },
  { name: 'tag_push_events', label: 'Pushes of tags', is: true },
  { name: 'merge_requests_events', label: 'Merge requests', is: true },
];

const otherFields: readonly FieldFacts[] = [
  { name: 'enable_ssl_verification', label: 'Check the certificate of the receiver', is: true },
];

/** All fields of a system hook, except its secrets. */
export const systemHookFields: readonly FieldFacts[] = [...addressFields, ...eventFields, ...otherFields];

/** What the form for a new system hook shows at first. */
export const newSystemHook: FieldValues = { repository_update_events: 'true', enable_ssl_verification: 'true' };

/** The parameter `token` of a sent form, unless it is empty. The name `token` belongs to the form itself. */
export const sentToken = (sent: SentForm): FieldValues =>
  sent.text('secret_token') === '' ? {} : { token: sent.text('secret_token') };

/** The fields of a form for a system hook. @param tokenHint about the secret token */
export const SystemHookFields = ({ values, tokenHint }: { values: FieldValues; tokenHint: string }) => (
  <>
    <FieldList fields={addressFields} values={values} />
    <SecretField name="secret_token" label="Secret token" hint={tokenHint} />
    <fieldset>
      <legend>Other events</legend>
      <p class="hint">The hook always gets events of projects, groups, users, members and keys.</p>
      <FieldList fields={eventFields} values={values} />
    </fieldset>
    <FieldList fields={otherFields} values={values} />
  </>
);

/** Says that the receiver of a system hook fails. Source: docs/api/hooks.md#7. */
export const SystemHookHealth = ({ hook: { alert_status, disabled_until } }: { hook: SystemHook }) =>
  alert_status === 'executable' ? null : (
    <>
      <span class="tag after">{alert_status.replaceAll('_', ' ')}</span>
      {disabled_until && (
        <span class="after dim">
          {' '}
          Next attempt: <Moment at={disabled_until} />
        </span>
      )}
    </>
  );
