import type { Issue, ProjectRef } from '@moothall/contracts';
import { downvotes, upvotes } from '../activity/awardable';
import { countTasks, describeTasks } from '../issuable/task-status';
import { viewTimeStats } from '../issuable/time-tracking';
import { viewBasicLabel } from '../label/label.view';
import type { Urls } from '../parent/urls';
import { summaryFrom } from '../user/summaries';
import type { IssueDocument } from './issue.schema';
import type { IssueReferences } from './issue-views';

/** See docs/api/issues.md#7. */
export function viewIssue(
  issue: IssueDocument,
  project: ProjectRef,
  references: IssueReferences,
  urls: Urls,
  options: { withLabelDetails: boolean; hasTiers: boolean },
): Issue {
  const assignees = issue.assigneeIds.map((id) => summaryFrom(references.users, id));
  const tasks = countTasks(issue.description);
  // Undefined fields are left out of the answer; object spreads here would cost as much as everything else.
  const epic = options.hasTiers ? viewEpicOf(issue, references) : undefined;
  return {
    id: issue._id,
    iid: issue.iid,
    project_id: issue.projectId,
    title: issue.title,
    description: issue.description,
    state: issue.state,
    created_at: issue.createdAt.toISOString(),
    updated_at: issue.updatedAt.toISOString(),
    closed_at: issue.closedAt?.toISOString() ?? null,
    closed_by: issue.closedById === null ? null : summaryFrom(references.users, issue.closedById),
    labels: viewLabels(issue, references, options.withLabelDetails),
    milestone: issue.milestoneId === null ? null : (references.milestones.get(issue.milestoneId) ?? null),
    assignees,
    author: summaryFrom(references.users, issue.authorId),
    type: 'ISSUE',
    assignee: assignees[0] ?? null,
    user_notes_count: issue.userNotesCount,
    merge_requests_count: issue.closingMergeRequestIds.length,
    upvotes: upvotes(issue),
    downvotes: downvotes(issue),
    due_date: issue.dueDate,
    confidential: issue.confidential,
    discussion_locked: issue.discussionLocked,
    issue_type: 'issue',
    web_url: urls.issue(project, issue.iid),
    time_stats: viewTimeStats(issue),
    task_completion_status: tasks,
    weight: options.hasTiers ? issue.weight : undefined,
    blocking_issues_count: references.blocked.get(issue._id) ?? 0,
    has_tasks: tasks.count > 0,
    task_status: describeTasks(tasks),
    _links: viewLinks(issue, urls),
    references: {
      short: `#${issue.iid}`,
      relative: `#${issue.iid}`,
      full: `${project.fullPath}#${issue.iid}`,
    },
    moved_to_id: issue.movedToId,
    epic_iid: epic?.epic_iid,
    epic: epic?.epic,
    iteration: options.hasTiers ? (references.iterations.get(issue.iterationId ?? 0) ?? null) : undefined,
    service_desk_reply_to: null,
  };
}

function viewLabels({ labelIds }: IssueDocument, { labels }: IssueReferences, withDetails: boolean): Issue['labels'] {
  // A label that was just deleted is left out.
  const known = labelIds.flatMap((id) => labels.get(id) ?? []).sort((a, b) => (a.title < b.title ? -1 : 1));
  return withDetails ? known.map(viewBasicLabel) : known.map(({ title }) => title);
}

function viewLinks({ projectId, iid }: IssueDocument, urls: Urls): Issue['_links'] {
  const self = urls.api(`/projects/${projectId}/issues/${iid}`);
  return {
    self,
    notes: `${self}/notes`,
    award_emoji: `${self}/award_emoji`,
    project: urls.api(`/projects/${projectId}`),
  };
}

function viewEpicOf({ epicId }: IssueDocument, references: IssueReferences): Pick<Issue, 'epic_iid' | 'epic'> {
  const epic = epicId === null ? undefined : references.epics.get(epicId);
  if (!epic) return { epic_iid: null, epic: null };
  const path = references.epicGroupPaths.get(epic.groupId) ?? '';
  return {
    epic_iid: epic.iid,
    epic: {
      id: epic._id,
      iid: epic.iid,
      group_id: epic.groupId,
      title: epic.title,
      url: `/groups/${path}/-/epics/${epic.iid}`,
    },
  };
}
