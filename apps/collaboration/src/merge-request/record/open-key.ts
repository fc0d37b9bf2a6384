import { createHash } from 'node:crypto';
import type { MergeRequestDocument } from './merge-request.schema';

type Branches = Pick<MergeRequestDocument, 'projectId' | 'sourceProjectId' | 'sourceBranch' | 'targetBranch'>;

/** Unique among open merge requests. */
export const openKeyOf = ({ projectId, sourceProjectId, sourceBranch, targetBranch }: Branches): string =>
  createHash('sha256')
    .update(JSON.stringify([sourceProjectId, sourceBranch, projectId, targetBranch]))
    .digest('base64url');
