import {
  type EventContract,
  type EventData,
  type EventRecord,
  issueChanged,
  memberChanged,
  mergeRequestChanged,
  milestoneChanged,
  milestoneDeleted,
  noteCreated,
  noteDeleted,
  projectChanged,
  projectDeleted,
  pushReceived,
  userDeleted,
  wikiPageChanged,
} from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { Activities } from './activity.repository';
import type { Push } from './activity.schema';

type Event<E extends EventContract> = EventRecord<EventData<E>>;

const done = { open: 'created', close: 'closed', reopen: 'reopened', merge: 'merged', create: 'created' } as const;
const doneToRequest = { ...done, approved: 'approved', approval: 'approved' } as const;

const roomsOfNotes = {
  Issue: 'issues',
  MergeRequest: 'merge_requests',
  Commit: 'repository',
  Snippet: null,
  Epic: null,
} as const;

/** Stores activities from the events of other services. See docs/api/events.md#3. */
@Injectable()
export class RecordActivities {
  constructor(private readonly activities: Activities) {}

  @OnEvent(issueChanged, 'RecordActivities-ofIssue')
  async ofIssue({ id, data, occurredAt }: Event<typeof issueChanged>): Promise<void> {
    const { action, issue } = data;
    if (action === 'delete') return this.activities.removeOn('issues', issue.id);
    const who = { confidential: issue.confidential, insiderIds: [issue.author_id, ...issue.assignee_ids] };
    await this.activities.conceal(issue.id, who);
    if (action === 'update') return;
    await this.activities.add({
      ...{ key: id, projectId: issue.project_id, authorId: data.user_id, createdAt: new Date(occurredAt), ...who },
      ...{ action: done[action], room: 'issues', on: issue.id },
      ...{ targetType: 'Issue', targetId: issue.id, targetIid: issue.iid },
    });
  }

  @OnEvent(mergeRequestChanged, 'RecordActivities-ofMergeRequest')
  async ofMergeRequest({ id, data, occurredAt }: Event<typeof mergeRequestChanged>): Promise<void> {
    const { action, merge_request: one } = data;
    if (action === 'delete') return this.activities.removeOn('merge_requests', one.id);
    // The feed has no entry for a revoked approval.
    if (action === 'update' || action === 'unapproved' || action === 'unapproval') return;
    await this.activities.add({
      ...{ key: id, projectId: one.project_id, authorId: data.user_id, createdAt: new Date(occurredAt) },
      ...{ action: doneToRequest[action], room: 'merge_requests', on: one.id },
      ...{ targetType: 'MergeRequest', targetId: one.id, targetIid: one.iid },
    });
  }

  @OnEvent(noteCreated, 'RecordActivities-ofNote')
  async ofNote({ id, data, occurredAt }: Event<typeof noteCreated>): Promise<void> {
    const { note, project_id: projectId } = data;
    const where = roomsOfNotes[note.noteable_type];
    if (projectId === null || where === null) return;
    await this.activities.add({
      ...{ key: id, projectId, authorId: note.author_id, createdAt: new Date(occurredAt) },
      ...{ action: 'commented', room: where, on: note.noteable_id },
      isInternal: note.confidential,
      ...(note.insider_ids && { confidential: true, insiderIds: note.insider_ids }),
      targetType: note.discussion_id === undefined ? 'Note' : 'DiscussionNote',
      ...{ targetId: note.id, targetIid: note.id },
    });
  }

  @OnEvent(noteDeleted, 'RecordActivities-ofNoteDeleted')
  async ofNoteDeleted({ data }: Event<typeof noteDeleted>): Promise<void> {
    await this.activities.removeNote(data.note_id);
  }

  @OnEvent(milestoneChanged, 'RecordActivities-ofMilestone')
  async ofMilestone({ id, data, occurredAt }: Event<typeof milestoneChanged>): Promise<void> {
    const { action, milestone } = data;
    if (action === 'update' || milestone.project_id === null) return;
    await this.activities.add({
      ...{ key: id, projectId: milestone.project_id, authorId: data.user_id, createdAt: new Date(occurredAt) },
      ...{ action: done[action], room: 'milestones', targetType: 'Milestone' },
      ...{ targetId: milestone.id, targetIid: milestone.iid, targetTitle: milestone.title },
    });
  }

  @OnEvent(milestoneDeleted, 'RecordActivities-ofMilestoneDeleted')
  async ofMilestoneDeleted({ data }: Event<typeof milestoneDeleted>): Promise<void> {
    await this.activities.removeMilestone(data.milestone_id);
  }

  @OnEvent(pushReceived, 'RecordActivities-ofPush')
  async ofPush({ id, data, occurredAt }: Event<typeof pushReceived>): Promise<void> {
    if (!data.user) return;
    await this.activities.add({
      ...{ key: id, projectId: data.project_id, authorId: data.user.id, createdAt: new Date(occurredAt) },
      ...{ action: 'pushed', room: 'repository', push: pushOf(data) },
    });
  }

  @OnEvent(wikiPageChanged, 'RecordActivities-ofWikiPage')
  async ofWikiPage({ id, data, occurredAt }: Event<typeof wikiPageChanged>): Promise<void> {
    if (!data.user) return;
    const action = ({ create: 'created', update: 'updated', delete: 'destroyed' } as const)[data.action];
    await this.activities.add({
      ...{ key: id, projectId: data.project_id, authorId: data.user.id, createdAt: new Date(occurredAt) },
      ...{ action, room: 'wiki', targetType: 'WikiPage::Meta', targetTitle: data.title },
      wikiPage: { format: data.format, slug: data.slug },
    });
  }

  @OnEvent(projectChanged, 'RecordActivities-ofProject')
  async ofProject({ id, data, occurredAt }: Event<typeof projectChanged>): Promise<void> {
    if (data.change !== 'created' || data.actor_id === undefined) return;
    await this.activities.add({
      ...{ key: id, projectId: data.project_id, authorId: data.actor_id, createdAt: new Date(occurredAt) },
      ...{ action: 'created', room: 'project', targetType: 'Project', targetId: data.project_id },
    });
  }

  /** The first owner of a project has not joined it. */
  @OnEvent(memberChanged, 'RecordActivities-ofMember')
  async ofMember({ id, data, occurredAt }: Event<typeof memberChanged>): Promise<void> {
    const isJoining = data.action === 'add' && data.actor_id !== undefined;
    if (data.source_type !== 'project' || !(isJoining || data.action === 'remove')) return;
    await this.activities.add({
      ...{ key: id, projectId: data.source_id, authorId: data.user_id, createdAt: new Date(occurredAt) },
      ...{ action: isJoining ? 'joined' : 'left', room: 'project' },
    });
  }

  @OnEvent(projectDeleted, 'RecordActivities-ofProjectDeleted')
  async ofProjectDeleted({ data }: Event<typeof projectDeleted>): Promise<void> {
    await this.activities.removeOfProject(data.project_id);
  }

  @OnEvent(userDeleted, 'RecordActivities-ofUserDeleted')
  async ofUserDeleted({ data }: Event<typeof userDeleted>): Promise<void> {
    await this.activities.removeOfAuthor(data.user_id);
  }
}

const isNone = (sha: string): boolean => /^0+$/.test(sha);

function pushOf(data: EventData<typeof pushReceived>): Push {
  const { before, after } = data;
  return {
    action: isNone(before) ? 'created' : isNone(after) ? 'removed' : 'pushed',
    refType: data.ref_type,
    ref: data.ref.replace(/^refs\/(heads|tags)\//, ''),
    from: isNone(before) ? null : before,
    to: isNone(after) ? null : after,
    commitTitle: data.commits.at(-1)?.title ?? null,
    commitCount: data.total_commits_count,
  };
}
