import { OperationError, openMergeRequestsOfBranches, type ProjectRef } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { type ServiceSettings, settingsToken } from '@moothall/service';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { RefUpdate } from '../git/refs/refs';
import { Storages } from '../storage/storages';
import { invitationFor, pushedBranchesOf, viewFor } from './merge-request-invitation';

type Project = Pick<ProjectRef, 'id' | 'storage' | 'fullPath'>;

/** What git shows after a push about merge requests of its branches. See docs/api/repository.md#11. */
@Injectable()
export class MergeRequestNotices {
  private readonly log = new Logger(MergeRequestNotices.name);

  constructor(
    private readonly storages: Storages,
    private readonly client: OperationClient,
    @Inject(settingsToken) private readonly settings: ServiceSettings,
  ) {}

  /**
   * Reads what is known before the push.
   * @returns the message about the refs that git has moved; empty if the open merge requests are not known
   */
  async prepare(project: Project, updates: readonly RefUpdate[]): Promise<(moved: readonly RefUpdate[]) => string> {
    const branches = pushedBranchesOf(updates);
    if (branches.length === 0) return () => '';
    const [open, hasTarget] = await Promise.all([
      this.findOpen(
        project.id,
        branches.map(({ name }) => name),
      ),
      branches.some(({ isNew }) => isNew) && this.hasTarget(project),
    ]);
    const projectUrl = `${this.settings.EXTERNAL_URL}/${project.fullPath}`;
    return (moved) =>
      pushedBranchesOf(moved)
        .map(({ name, isNew }) => {
          const iid = open?.get(name);
          if (iid !== undefined) return viewFor(name, projectUrl, iid);
          return open && isNew && hasTarget ? invitationFor(name, projectUrl) : '';
        })
        .join('');
  }

  /** Numbers of open merge requests, by branch; undefined if the service does not answer: the push goes on. */
  private async findOpen(projectId: number, branches: string[]): Promise<Map<string, number> | undefined> {
    const found = await this.client
      .call(openMergeRequestsOfBranches, { project_id: projectId, source_branches: branches })
      .catch((error: unknown) => {
        if (!(error instanceof OperationError)) throw error;
        this.log.warn(`the open merge requests of a push to project ${projectId} are not known: ${error}`);
        return undefined;
      });
    return found && new Map(found.map(({ source_branch, iid }) => [source_branch, iid]));
  }

  /** Whether the default branch exists: a push that creates it opens no merge request. */
  private async hasTarget(project: Project): Promise<boolean> {
    const { engine, path } = this.storages.locate(project);
    const branch = await engine.storage.defaultBranch(path);
    return branch !== null && (await engine.objects.readRef(path, `refs/heads/${branch}`)) !== null;
  }
}
