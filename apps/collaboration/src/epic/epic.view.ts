import type { Epic, GroupRef, UserSummary } from '@moothall/contracts';
import { downvotes, upvotes } from '../activity/awardable';
import type { LabelDocument } from '../label/label.schema';
import { viewBasicLabel } from '../label/label.view';
import type { Urls } from '../parent/urls';
import { summaryFrom } from '../user/summaries';
import type { EpicDocument } from './epic.schema';
import type { InheritedDates } from './epic-dates';

/** Records that epics refer to, by id. */
export interface Surroundings {
  groups: ReadonlyMap<number, GroupRef>;
  users: ReadonlyMap<number, UserSummary>;
  labels: ReadonlyMap<number, LabelDocument>;
  parents: ReadonlyMap<number, Pick<EpicDocument, 'iid' | 'groupId'>>;
  dates: ReadonlyMap<number, InheritedDates>;
}

/** See docs/api/epics.md#2. */
export function viewEpic(
  epic: EpicDocument,
  group: GroupRef,
  around: Surroundings,
  urls: Urls,
  withLabelDetails: boolean,
): Epic {
  const webUrl = `${urls.group(group)}/-/epics/${epic.iid}`;
  const labels = epic.labelIds
    .flatMap((id) => around.labels.get(id) ?? [])
    .sort((a, b) => (a.title < b.title ? -1 : 1));
  const reference = `&${epic.iid}`;
  return {
    id: epic._id,
    iid: epic.iid,
    group_id: epic.groupId,
    parent_id: epic.parentId,
    parent_iid: (epic.parentId !== null && around.parents.get(epic.parentId)?.iid) || null,
    title: epic.title,
    description: epic.description,
    confidential: epic.confidential,
    author: summaryFrom(around.users, epic.authorId),
    ...viewDates(epic, around.dates.get(epic._id)),
    state: epic.state,
    web_url: webUrl,
    web_edit_url: webUrl,
    reference,
    references: { short: reference, relative: reference, full: `${group.fullPath}${reference}` },
    created_at: epic.createdAt.toISOString(),
    updated_at: epic.updatedAt.toISOString(),
    closed_at: epic.closedAt?.toISOString() ?? null,
    labels: withLabelDetails ? labels.map(viewBasicLabel) : labels.map(({ title }) => title),
    upvotes: upvotes(epic),
    downvotes: downvotes(epic),
    user_notes_count: epic.userNotesCount,
    _links: viewLinks(epic, around, urls),
  };
}

function viewDates(epic: EpicDocument, inherited: InheritedDates = { start: null, due: null }) {
  const due = epic.dueDateIsFixed ? epic.dueDateFixed : inherited.due;
  return {
    start_date: epic.startDateIsFixed ? epic.startDateFixed : inherited.start,
    start_date_is_fixed: epic.startDateIsFixed,
    start_date_fixed: epic.startDateFixed,
    start_date_from_milestones: inherited.start,
    end_date: due,
    due_date: due,
    due_date_is_fixed: epic.dueDateIsFixed,
    due_date_fixed: epic.dueDateFixed,
    due_date_from_milestones: inherited.due,
  };
}

function viewLinks({ groupId, iid, parentId }: EpicDocument, { parents }: Surroundings, urls: Urls): Epic['_links'] {
  const self = urls.api(`/groups/${groupId}/epics/${iid}`);
  const parent = parentId === null ? undefined : parents.get(parentId);
  return {
    self,
    epic_issues: `${self}/issues`,
    group: urls.api(`/groups/${groupId}`),
    parent: parent ? urls.api(`/groups/${parent.groupId}/epics/${parent.iid}`) : null,
  };
}
