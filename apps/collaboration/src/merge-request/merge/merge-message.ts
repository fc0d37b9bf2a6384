import type { ProjectRef } from '@moothall/contracts';
import { closedBy } from '../record/closing-references';
import type { MergeRequestDocument } from '../record/merge-request.schema';

type Described = Pick<MergeRequestDocument, 'iid' | 'title' | 'description' | 'sourceBranch' | 'targetBranch'>;

/** Default message of a merge commit. */
export function defaultMergeMessage(mergeRequest: Described, { fullPath }: Pick<ProjectRef, 'fullPath'>): string {
  const { iid, title, description, sourceBranch, targetBranch } = mergeRequest;
  const closes = closedBy(description).map((issue) => `#${issue}`);
  return [
    `Merge branch '${sourceBranch}' into '${targetBranch}'`,
    title,
    ...(closes.length > 0 ? [`Closes ${closes.join(', ')}`] : []),
    `See merge request ${fullPath}!${iid}`,
  ].join('\n\n');
}
