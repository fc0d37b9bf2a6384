import { Access, type Branch as BranchView, type ProjectRef } from '@moothall/contracts';
import type { z } from 'zod';
import { projectUrl, viewCommit } from '../commit/commit.view';
import type { Branch } from '../git/branches';
import type { Commit } from '../git/commit';

export function viewBranch(
  branch: Branch,
  commit: Commit,
  project: ProjectRef,
  externalUrl: string,
): z.infer<typeof BranchView> {
  const url = projectUrl(externalUrl, project);
  return {
    name: branch.name,
    commit: viewCommit(commit, url),
    merged: branch.isMerged,
    protected: false,
    developers_can_push: false,
    developers_can_merge: false,
    can_push: project.accessLevel >= Access.Developer && !project.isArchived,
    default: branch.isDefault,
    web_url: `${url}/-/tree/${branch.name.split('/').map(encodeURIComponent).join('/')}`,
  };
}
