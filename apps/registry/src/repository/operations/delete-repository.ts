import {
  type ContextOf,
  deleteRegistryRepository,
  type ParsedOf,
  rankOf,
  registryProtectionErrors,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { ProtectionRules } from '../../protection/protection-rules';
import { RegistryClient } from '../../registry-client/registry-client';
import { RemoveRepository } from '../../removal/remove-repository';
import { ContainerRepositories } from '../container-repository.repository';

@Controller()
export class DeleteRepository {
  constructor(
    private readonly client: RegistryClient,
    private readonly repositories: ContainerRepositories,
    private readonly protection: ProtectionRules,
    private readonly removal: RemoveRepository,
  ) {}

  @Handles(deleteRegistryRepository)
  async handle(
    { project, caller }: ContextOf<typeof deleteRegistryRepository>,
    input: ParsedOf<typeof deleteRegistryRepository>,
  ) {
    this.client.requireSetUp();
    const { _id, path } = await this.repositories.get(project.id, input.repository_id);
    if ((await this.protection.of(project.id)).refusesDeletion(path, rankOf(project, caller)))
      throw registryProtectionErrors.deletionRefused();
    await this.repositories.scheduleRemoval(_id);
    await this.removal.queue(_id);
    return { message: '202 Accepted' };
  }
}
