import { type ContextOf, deleteRegistryRepository, type ParsedOf } from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { RegistryClient } from '../../registry-client/registry-client';
import { RemoveRepository } from '../../removal/remove-repository';
import { ContainerRepositories } from '../container-repository.repository';

@Controller()
export class DeleteRepository {
  constructor(
    private readonly client: RegistryClient,
    private readonly repositories: ContainerRepositories,
    private readonly removal: RemoveRepository,
  ) {}

  @Handles(deleteRegistryRepository)
  async handle(
    { project }: ContextOf<typeof deleteRegistryRepository>,
    input: ParsedOf<typeof deleteRegistryRepository>,
  ) {
    this.client.requireSetUp();
    const { _id } = await this.repositories.get(project.id, input.repository_id);
    await this.repositories.scheduleRemoval(_id);
    await this.removal.queue(_id);
    return { message: '202 Accepted' };
  }
}
