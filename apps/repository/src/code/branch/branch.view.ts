import type { Branch as BranchView, ProjectRef } from '@moothall/contracts';
import type { z } from 'zod';
import type { Commit } from '../../git/objects/commit';
import type { Branch } from '../../git/refs/branches';
import type { Actor, Protections } from '../../protection/protections';
import { projectUrl, viewCommit } from '../commit/commit.view';

interface Surroundings {
  project: ProjectRef;
  protections: Protections;
  /** The caller; the view shows their rights. */
  actor: Actor;
  externalUrl: string;
}

export function viewBranch(
  branch: Branch,
  commit: Commit,
  { project, protections, actor, externalUrl }: Surroundings,
): z.infer<typeof BranchView> {
  const url = projectUrl(externalUrl, project);
  return {
    name: branch.name,
    commit: viewCommit(commit, url),
    merged: branch.isMerged,
    protected: protections.isProtected('branch', branch.name),
    developers_can_push: protections.developersCanPush(branch.name),
    developers_can_merge: protections.developersCanMerge(branch.name),
    can_push: protections.canPush(branch.name, actor) && !project.isArchived,
    default: branch.isDefault,
    web_url: `${url}/-/tree/${branch.name.split('/').map(encodeURIComponent).join('/')}`,
  };
}
