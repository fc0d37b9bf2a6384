import type { groupHookSwitches, webhookSwitches } from '@moothall/contracts';
import type { FieldFacts } from '../../parts/field-list';

interface EventFacts {
  label: string;
  hint?: string;
}

const notSent = 'This server stores the switch for other programs. It does not send the event.';

/** The events of a webhook. Source: docs/api/hooks.md#3. */
const events: Record<keyof typeof webhookSwitches, EventFacts> = {
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

/** More events of a webhook of a group. */
const groupEvents: Record<Exclude<keyof typeof groupHookSwitches, keyof typeof webhookSwitches>, EventFacts> = {
  member_events: { label: 'Members' },
  subgroup_events: { label: 'Subgroups' },
  project_events: { label: 'Projects' },
};

const fieldsOf = (facts: Readonly<Record<string, EventFacts>>): readonly FieldFacts[] =>
  Object.entries(facts).map(([name, about]) => ({ name, is: true, ...about }));

/** The events of a webhook of a project as fields, each with the name of its switch. */
export const eventFields = fieldsOf(events);

/** The same of a group. */
export const groupEventFields = fieldsOf({ ...events, ...groupEvents });
