import { type BasicLabel, escapeHtml, type Label } from '@moothall/contracts';
import { ownerParts } from '../parent/owner';
import type { LabelDocument } from './label.schema';
import { textColorOn } from './label-color';

/** Counts of records with a label, if requested. */
export interface LabelCounts {
  openIssues: number;
  closedIssues: number;
  openMergeRequests: number;
}

export const viewBasicLabel = ({ _id, title, color, description }: LabelDocument): BasicLabel => ({
  id: _id,
  name: title,
  color,
  description,
  description_html: description === null ? null : escapeHtml(description),
  text_color: textColorOn(color),
});

const viewCounts = (counts: LabelCounts | undefined) =>
  counts && {
    open_issues_count: counts.openIssues,
    closed_issues_count: counts.closedIssues,
    open_merge_requests_count: counts.openMergeRequests,
  };

/** @param projectId the project that it is shown in, which decides its priority */
export function viewLabel(label: LabelDocument, viewerId?: number, projectId?: number, counts?: LabelCounts): Label {
  return {
    ...viewBasicLabel(label),
    ...viewCounts(counts),
    subscribed: viewerId !== undefined && label.subscriberIds.includes(viewerId),
    ...(projectId !== undefined && {
      priority: label.priorities.find((entry) => entry.projectId === projectId)?.priority ?? null,
      is_project_label: ownerParts(label.owner).kind === 'project',
    }),
  };
}
