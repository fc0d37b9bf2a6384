import { Access, type Caller, type ProjectRef, reaches } from '@moothall/contracts';
import type { ApprovalSettingsDocument } from '../record/approval-settings.schema';
import type { MergeRequestDocument } from '../record/merge-request.schema';

export const hasApproved = ({ approvals = [] }: MergeRequestDocument, { id }: Pick<Caller, 'id'>): boolean =>
  approvals.some(({ userId }) => userId === id);

/**
 * Developers and roles with the ability may approve, once, while it is open and its project is not archived; the author
 * only if the project allows it.
 */
export const mayApprove = (
  mergeRequest: MergeRequestDocument,
  project: ProjectRef,
  { refusesAuthors = false }: Pick<ApprovalSettingsDocument, 'refusesAuthors'>,
  caller: Pick<Caller, 'id'>,
): boolean =>
  mergeRequest.state === 'opened' &&
  !project.isArchived &&
  reaches(project, Access.Developer, 'admin_merge_request') &&
  !(refusesAuthors && mergeRequest.authorId === caller.id) &&
  !hasApproved(mergeRequest, caller);
