import type { FieldValues } from '../../forms/changes';
import type { FieldFacts } from '../../parts/field-list';
import { addressFields, certificateField, HookFields } from './hook-fields';
import type { KnownKeys } from './hook-secrets';

const address: readonly FieldFacts[] = [...addressFields, { name: 'description', label: 'Description', is: 3 }];

/** The events that a system hook can be without. */
export const systemEvents: readonly FieldFacts[] = [
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

/** All fields of a system hook, except its secrets. */
export const systemHookFields: readonly FieldFacts[] = [...address, ...systemEvents, certificateField];

/** What the form for a new system hook shows at first. */
export const newSystemHook: FieldValues = { repository_update_events: 'true', enable_ssl_verification: 'true' };

/** The fields of a form for a system hook. @param hook undefined for a new one */
export const SystemHookFields = (props: { values: FieldValues; hook?: KnownKeys }) => (
  <HookFields
    {...props}
    address={address}
    events={systemEvents}
    eventsHint="The hook also gets all events of projects, groups, users, members and keys."
    others={[certificateField]}
  />
);
