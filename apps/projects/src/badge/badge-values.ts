import { OperationError, type ProjectRef, repositoryFacts } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { type BadgeValues, mentionsCommit } from './badge-urls';

/** Reads the values of placeholders for a project. */
@Injectable()
export class ReadBadgeValues {
  constructor(private readonly client: OperationClient) {}

  /** @param urls the repository service is called only if one of them contains the commit placeholder */
  async read(project: ProjectRef, urls: string[], requestId: string): Promise<BadgeValues> {
    return {
      project_path: project.fullPath,
      project_name: project.path,
      project_id: String(project.id),
      default_branch: project.defaultBranch ?? '',
      commit_sha: mentionsCommit(...urls) ? await this.tipOf(project, requestId) : '',
    };
  }

  /** If the repository service does not answer, badges are shown without the commit. */
  private async tipOf(project: ProjectRef, requestId: string): Promise<string> {
    try {
      const facts = await this.client.call(repositoryFacts, { project_id: project.id }, { project, requestId });
      return facts.commit_sha ?? '';
    } catch (error) {
      if (error instanceof OperationError) return '';
      throw error;
    }
  }
}
