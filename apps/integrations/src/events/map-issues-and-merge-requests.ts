import {
  type EventData,
  issueChanged,
  mergeRequestChanged,
  milestoneChanged,
  noteCreated,
  type ProjectRef,
} from '@moothall/contracts';
import { type EventMapper, mapEvent, ofProject, once } from './event-mapper';
import type { Facts } from './facts';
import type { Payload } from './occurrence';

type IssueFacts = EventData<typeof issueChanged>['issue'];
type MergeRequestFacts = EventData<typeof mergeRequestChanged>['merge_request'];
type NoteFacts = EventData<typeof noteCreated>['note'];

/** Issues, merge requests, milestones and notes. */
export const issueAndMergeRequestMappers: readonly EventMapper[] = [
  mapEvent(issueChanged, async (event, facts) => {
    const { action, user_id, issue, before } = event.data;
    const project = await facts.project(issue.project_id);
    // v4 hooks have no event for the deletion of an issue.
    if (!project || action === 'delete') return [];
    const under = issue.confidential ? 'confidential_issues_events' : 'issues_events';
    const payload = async () => ({
      object_kind: 'issue',
      event_type: issue.confidential ? 'confidential_issue' : 'issue',
      ...(await common(facts, project, user_id)),
      object_attributes: { ...(await issueAttributes(facts, project, issue)), action },
      labels: await facts.labels(issue.label_ids),
      changes: await changesOf(facts, before, issue),
      ...(await assignees(facts, issue.assignee_ids)),
    });
    return [ofProject(event, project, under, payload)];
  }),

  mapEvent(mergeRequestChanged, async (event, facts) => {
    const { action, user_id, merge_request: request, before } = event.data;
    const project = await facts.project(request.project_id);
    if (!project || action === 'delete') return [];
    const payload = once(async () => ({
      object_kind: 'merge_request',
      event_type: 'merge_request',
      ...(await common(facts, project, user_id)),
      object_attributes: { ...(await requestAttributes(facts, project, request)), action },
      labels: await facts.labels(request.label_ids),
      changes: await changesOf(facts, before, request),
      ...(await assignees(facts, request.assignee_ids)),
    }));
    return [ofProject(event, project, 'merge_requests_events', payload, { system: payload })];
  }),

  mapEvent(milestoneChanged, async (event, facts) => {
    const { action, user_id, milestone } = event.data;
    const project = milestone.project_id === null ? null : await facts.project(milestone.project_id);
    // v4 hooks have no other events of milestones.
    if (!project || action === 'update') return [];
    const payload = async () => ({
      object_kind: 'milestone',
      event_type: 'milestone',
      ...(await common(facts, project, user_id)),
      action,
      object_attributes: { ...milestone, updated_at: event.occurredAt },
    });
    return [ofProject(event, project, 'milestone_events', payload)];
  }),

  mapEvent(noteCreated, async (event, facts) => {
    const { project_id, note } = event.data;
    const project = project_id === null ? null : await facts.project(project_id);
    if (!project) return [];
    const isConfidential = note.confidential || note.insider_ids !== undefined;
    const under = isConfidential ? 'confidential_note_events' : 'note_events';
    const payload = async () => ({
      object_kind: 'note',
      event_type: isConfidential ? 'confidential_note' : 'note',
      ...(await common(facts, project, note.author_id)),
      project_id: project.id,
      object_attributes: noteAttributes(facts, project, note),
    });
    return [ofProject(event, project, under, payload)];
  }),
];

type Changing = Payload & { label_ids?: number[] | undefined };

/** Changed fields, as `{ title: { previous, current } }`. */
async function changesOf(facts: Facts, before: Changing | undefined, now: Changing): Promise<Payload> {
  const { label_ids, ...others } = before ?? {};
  const changes = Object.keys(others).map((name) => [name, { previous: others[name] ?? null, current: now[name] }]);
  if (!label_ids) return Object.fromEntries(changes);
  const [previous, current] = await Promise.all([facts.labels(label_ids), facts.labels(now.label_ids ?? [])]);
  return { ...Object.fromEntries(changes), labels: { previous, current } };
}

const common = async (facts: Facts, project: ProjectRef, userId: number): Promise<Payload> => ({
  user: facts.viewUser(await facts.user(userId)),
  project: facts.viewProject(project),
  repository: facts.viewRepository(project),
});

async function assignees(facts: Facts, ids: number[]): Promise<Payload> {
  if (ids.length === 0) return {};
  const users = await Promise.all(ids.map(async (id) => facts.viewUser(await facts.user(id))));
  return { assignees: users.filter((user) => user !== null) };
}

async function issueAttributes(facts: Facts, project: ProjectRef, issue: IssueFacts): Promise<Payload> {
  const { label_ids, ...rest } = issue;
  return {
    ...rest,
    assignee_id: issue.assignee_ids[0] ?? null,
    labels: await facts.labels(label_ids),
    url: facts.webUrl(project.fullPath, '-', 'issues', issue.iid),
  };
}

async function requestAttributes(facts: Facts, project: ProjectRef, request: MergeRequestFacts): Promise<Payload> {
  const { project_id, source_project_id, label_ids, head_sha, ...rest } = request;
  const source = source_project_id === null ? null : await facts.project(source_project_id);
  return {
    ...rest,
    target_project_id: project_id,
    source_project_id,
    assignee_id: request.assignee_ids[0] ?? null,
    draft: request.work_in_progress,
    labels: await facts.labels(label_ids),
    last_commit: head_sha === null ? null : { id: head_sha },
    source: source && facts.viewProject(source),
    target: facts.viewProject(project),
    url: facts.webUrl(project.fullPath, '-', 'merge_requests', request.iid),
  };
}

const pagesOf: Record<NoteFacts['noteable_type'], string> = {
  Issue: 'issues',
  MergeRequest: 'merge_requests',
  Snippet: 'snippets',
  Epic: 'epics',
  Commit: 'commit',
};

function noteAttributes(facts: Facts, project: ProjectRef, note: NoteFacts): Payload {
  const place = note.commit_id ?? note.noteable_iid ?? note.noteable_id;
  return {
    id: note.id,
    discussion_id: note.discussion_id ?? null,
    note: note.body,
    description: note.body,
    noteable_type: note.noteable_type,
    noteable_id: note.noteable_id,
    noteable_iid: note.noteable_iid,
    commit_id: note.commit_id ?? null,
    author_id: note.author_id,
    project_id: project.id,
    created_at: note.created_at,
    updated_at: note.created_at,
    system: false,
    confidential: note.confidential,
    action: 'create',
    url: `${facts.webUrl(project.fullPath, '-', pagesOf[note.noteable_type], place)}#note_${note.id}`,
  };
}
