import { Access, type Caller, type ProjectRef } from '@moothall/contracts';
import type { ApprovalSettingsDocument } from '../record/approval-settings.schema';
import type { MergeRequestDocument } from '../record/merge-request.schema';

export const hasApproved = ({ approvals = [] }: MergeRequestDocument, { id }: Pick<Caller, 'id'>): boolean =>
  approvals.some(({ userId }) => userId === id);

/** Developers, once, while it is open, and its project not archived; its author where the project has it so. */
export const mayApprove = (
  mergeRequest: MergeRequestDocument,
  project: ProjectRef,
  { refusesAuthors = false }: Pick<ApprovalSettingsDocument, 'refusesAuthors'>,
  caller: Pick<Caller, 'id'>,
): boolean =>
  mergeRequest.state === 'opened' &&
  !project.isArchived &&
  project.accessLevel >= Access.Developer &&
  !(refusesAuthors && mergeRequest.authorId === caller.id) &&
  !hasApproved(mergeRequest, caller);
