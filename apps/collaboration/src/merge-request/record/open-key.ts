import { createHash } from 'node:crypto';
import type { MergeRequestDocument } from './merge-request.schema';

type Branches = Pick<MergeRequestDocument, 'projectId' | 'sourceProjectId' | 'sourceBranch' | 'targetBranch'>;

/** What no two open merge requests share. */
export const openKeyOf = ({ projectId, sourceProjectId, sourceBranch, targetBranch }: Branches): string =>
  createHash('sha256')
    .update(JSON.stringify([sourceProjectId, sourceBranch, projectId, targetBranch]))
    .digest('base64url');
