import { Access, type Caller, type ProjectRef, reaches } from '@moothall/contracts';
import type { ApprovalSettingsDocument } from '../record/approval-settings.schema';
import type { MergeRequestDocument } from '../record/merge-request.schema';

export const hasApproved = ({ approvals = [] }: MergeRequestDocument, { id }: Pick<Caller, 'id'>): boolean =>
  approvals.some(({ userId }) => userId === id);

/** Developers, and whose role has it so, once, while it is open, and its project not archived; its author where the project has it so. */
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
