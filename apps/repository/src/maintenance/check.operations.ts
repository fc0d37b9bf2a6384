import {
  type Caller,
  type ContextOf,
  checkRepository,
  getRepositoryCheck,
  type ParsedOf,
  resolveProject,
} from '@moothall/contracts';
import { Handles, OperationClient } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Repositories } from '../record/repository.repository';
import { MaintainRepositories } from './maintain-repositories';

/** Any process answers; the process with the disk runs the check. */
@Controller()
export class CheckOperations {
  constructor(
    private readonly repositories: Repositories,
    private readonly maintenance: MaintainRepositories,
    private readonly client: OperationClient,
  ) {}

  @Handles(checkRepository)
  async start({ caller }: ContextOf<typeof checkRepository>, { id }: ParsedOf<typeof checkRepository>) {
    const { id: projectId, storage } = await this.project(id, caller);
    await this.maintenance.wantCheck({ projectId, storage });
    return { message: '202 Accepted' };
  }

  @Handles(getRepositoryCheck)
  async report({ caller }: ContextOf<typeof getRepositoryCheck>, { id }: ParsedOf<typeof getRepositoryCheck>) {
    const record = await this.repositories.find((await this.project(id, caller)).id);
    return { checked_at: record?.checkedAt?.toISOString() ?? null, findings: record?.damage ?? [] };
  }

  /** @throws 404 Project Not Found */
  private async project(id: string, caller: Caller) {
    return (await this.client.call(resolveProject, { project: id, user_id: caller.id, is_admin: true })).project;
  }
}
