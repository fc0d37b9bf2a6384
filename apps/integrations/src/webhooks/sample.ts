import type { GroupRef, ProjectRef } from '@moothall/contracts';
import type { UserRecord } from '@moothall/users';
import type { Facts } from '../events/facts';
import type { Payload } from '../events/occurrence';

const zeros = '0'.repeat(40);
const sha = 'da1560886d4f094c3e6c9ef40349f7d38b5d27d7';

interface SampleContext {
  project?: ProjectRef | undefined;
  group?: GroupRef | undefined;
  user: UserRecord | null;
}

/** The payload of a test: it has the form of the event with invented data. See docs/api/hooks.md#5. */
export function sampleOf(trigger: string, facts: Facts, { project, group, user }: SampleContext): Payload {
  const kind = kinds[trigger] ?? trigger.replace(/_events$/, '');
  const place: Payload = project
    ? {
        project_id: project.id,
        project: facts.viewProject(project),
        repository: facts.viewRepository(project),
      }
    : { group_id: group?.id, group_name: group?.name, group_path: group?.path };
  if (kind !== 'push' && kind !== 'tag_push')
    return {
      object_kind: kind,
      event_type: trigger.replace(/s?_events$/, ''),
      user: facts.viewUser(user),
      ...place,
      object_attributes: attributesOf(kind),
      labels: [],
      changes: {},
    };
  const ref = kind === 'push' ? `refs/heads/${project?.defaultBranch ?? 'main'}` : 'refs/tags/v1.0.0';
  return {
    object_kind: kind,
    event_name: kind,
    before: zeros,
    after: sha,
    ref,
    checkout_sha: sha,
    message: null,
    user_id: user?.id ?? null,
    user_name: user?.name ?? null,
    user_username: user?.username ?? null,
    user_email: user?.public_email ?? null,
    user_avatar: user?.avatar_url ?? null,
    ...place,
    commits: [],
    total_commits_count: 0,
    push_options: {},
  };
}

const kinds: Readonly<Record<string, string>> = {
  issues_events: 'issue',
  confidential_issues_events: 'issue',
  confidential_note_events: 'note',
  merge_requests_events: 'merge_request',
  job_events: 'build',
  releases_events: 'release',
  repository_update_events: 'repository_update',
};

const attributesOf = (kind: string): Payload => ({
  id: 1,
  iid: 1,
  title: 'A sample',
  description: 'Sent by a test of this hook',
  ...(kind === 'note'
    ? { note: 'A sample', noteable_type: 'Issue', action: 'create' }
    : { state: 'opened', action: 'open' }),
});
