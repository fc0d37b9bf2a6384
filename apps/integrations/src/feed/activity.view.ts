import type { Activity, ActivityAction, OutputOf, showRecords, UserSummary } from '@moothall/contracts';
import type { ActivityDocument, Push } from './activity.schema';

/** Data of other services for a list of activities. */
export interface Shown {
  titles: ReadonlyMap<string, string>;
  notes: ReadonlyMap<number, OutputOf<typeof showRecords>['notes'][number]>;
  projectNames: ReadonlyMap<number, string>;
  users: ReadonlyMap<number, UserSummary>;
}

const pushes: Record<Push['action'], string> = { created: 'pushed new', removed: 'deleted', pushed: 'pushed to' };

const words: Record<Exclude<ActivityAction, 'pushed'>, string> = {
  approved: 'approved',
  closed: 'closed',
  commented: 'commented on',
  created: 'opened',
  destroyed: 'destroyed',
  expired: 'removed due to membership expiration from',
  joined: 'joined',
  left: 'left',
  merged: 'accepted',
  reopened: 'opened',
  updated: 'updated',
};

/** Clients read this text, not the filter name. */
function actionName({ action, push, targetType }: ActivityDocument): string {
  if (action === 'pushed') return pushes[push?.action ?? 'pushed'];
  const isMade = action === 'created' && (targetType === 'Project' || targetType === 'WikiPage::Meta');
  return isMade ? 'created' : words[action];
}

const keyOf = (type: string, id: number): string => `${type}/${id}`;

/** @returns undefined if it may not be shown or was deleted */
export function viewActivity(activity: ActivityDocument, shown: Shown): Activity | undefined {
  const title = titleOf(activity, shown);
  const author = shown.users.get(activity.authorId);
  if (title === undefined || !author) return undefined;
  const note = activity.action === 'commented' ? shown.notes.get(activity.targetId ?? 0) : undefined;
  return {
    id: activity._id,
    project_id: activity.projectId,
    action_name: actionName(activity),
    target_id: activity.targetId,
    target_iid: activity.targetIid,
    target_type: note?.type ?? activity.targetType,
    target_title: title,
    author_id: author.id,
    author,
    author_username: author.username,
    created_at: activity.createdAt.toISOString(),
    ...(note && { note }),
    ...(activity.push && { push_data: viewPush(activity.push) }),
    ...(activity.wikiPage && { wiki_page: { ...activity.wikiPage, title: activity.targetTitle ?? '' } }),
    imported: false,
    imported_from: 'none',
  };
}

function titleOf(activity: ActivityDocument, { titles, notes, projectNames }: Shown): string | null | undefined {
  const { targetType, targetId } = activity;
  if (activity.action === 'commented') return notes.get(targetId ?? 0)?.noteable_title;
  if (targetType === 'Issue' || targetType === 'MergeRequest') return titles.get(keyOf(targetType, targetId ?? 0));
  return targetType === 'Project' ? projectNames.get(activity.projectId) : activity.targetTitle;
}

export const titlesOf = ({ issues, merge_requests }: OutputOf<typeof showRecords>): Map<string, string> =>
  new Map([
    ...issues.map(({ id, title }): [string, string] => [keyOf('Issue', id), title]),
    ...merge_requests.map(({ id, title }): [string, string] => [keyOf('MergeRequest', id), title]),
  ]);

const viewPush = ({ action, refType, ref, from, to, commitTitle, commitCount }: Push): Activity['push_data'] => ({
  commit_count: commitCount,
  action,
  ref_type: refType,
  commit_from: from,
  commit_to: to,
  ref,
  commit_title: commitTitle,
  ref_count: null,
});
