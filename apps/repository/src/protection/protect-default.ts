import { Access } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { Repositories } from '../record/repository.repository';
import { newProtection } from './new-protection';
import { ProtectedRefs } from './protected-ref.repository';

/** Levels by `default_branch_protection` of groups; none for 0. */
const levels: Record<number, { push: number; merge: number }> = {
  1: { push: Access.Developer, merge: Access.Maintainer },
  2: { push: Access.Maintainer, merge: Access.Maintainer },
  3: { push: Access.Maintainer, merge: Access.Developer },
};

/** Protects the default branch when it is created, as its group's setting says. */
@Injectable()
export class DefaultProtection {
  constructor(
    private readonly refs: ProtectedRefs,
    private readonly repositories: Repositories,
  ) {}

  /** An existing protection stays. */
  async protect(projectId: number, branch: string): Promise<void> {
    const wanted = levels[(await this.repositories.find(projectId))?.defaultBranchProtection ?? 2];
    if (!wanted) return;
    await this.refs.add(
      newProtection(projectId, 'branch', branch, { pushLevels: [wanted.push], mergeLevels: [wanted.merge] }),
    );
  }
}
