import { type EventData, type EventRecord, projectDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { ProtectionRules } from '../protection/protection-rules';
import { RemoveRepository } from '../removal/remove-repository';
import { ContainerRepositories } from '../repository/container-repository.repository';

/** Deletes images and protection rules with their project. */
@Injectable()
export class FollowProjects {
  constructor(
    private readonly repositories: ContainerRepositories,
    private readonly removal: RemoveRepository,
    private readonly protection: ProtectionRules,
  ) {}

  @OnEvent(projectDeleted, 'FollowProjects-onProjectDeleted')
  async onProjectDeleted({ data }: EventRecord<EventData<typeof projectDeleted>>): Promise<void> {
    await this.protection.forgetProject(data.project_id);
    for (const id of await this.repositories.scheduleRemovalOfProject(data.project_id)) await this.removal.queue(id);
  }
}
