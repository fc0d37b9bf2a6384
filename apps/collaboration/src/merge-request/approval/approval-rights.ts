import { Access, type Caller, type ProjectRef } from '@moothall/contracts';
import type { MergeRequestDocument } from '../record/merge-request.schema';

export const hasApproved = ({ approvals = [] }: MergeRequestDocument, { id }: Pick<Caller, 'id'>): boolean =>
  approvals.some(({ userId }) => userId === id);

/** Developers, once, while it is open, and its project not archived. */
export const mayApprove = (
  mergeRequest: MergeRequestDocument,
  project: ProjectRef,
  caller: Pick<Caller, 'id'>,
): boolean =>
  mergeRequest.state === 'opened' &&
  !project.isArchived &&
  project.accessLevel >= Access.Developer &&
  !hasApproved(mergeRequest, caller);
