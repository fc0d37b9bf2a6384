import { Access, type AccessLevel, type Caller } from '@moothall/contracts';
import type { QueryFilter } from 'mongoose';
import type { IssueDocument } from './issue.schema';

/**
 * Filter for confidential issues: only reporters and above, the author and the assignees may see them. See
 * docs/api/issues.md#3.
 */
export function notHiddenFrom(caller: Caller | undefined, level: AccessLevel): QueryFilter<IssueDocument> {
  if (level >= Access.Reporter || caller?.isAdmin) return {};
  if (!caller) return { confidential: false };
  return { $or: [{ confidential: false }, { authorId: caller.id }, { assigneeIds: caller.id }] };
}

/** The same check for one loaded issue. */
export function isHiddenFrom(issue: IssueDocument, caller: Caller | undefined, level: AccessLevel): boolean {
  if (!issue.confidential || level >= Access.Reporter || caller?.isAdmin) return false;
  return !caller || (issue.authorId !== caller.id && !issue.assigneeIds.includes(caller.id));
}
