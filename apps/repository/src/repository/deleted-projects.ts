import { type EventData, type EventRecord, projectDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { ProtectedRefs } from '../protection/protected-ref.repository';
import { Storages } from '../storage/storages';
import { Repositories } from './repository.repository';

/** A deleted project's repositories go with it, and what is kept about them. */
@Injectable()
export class DeletedProjects {
  constructor(
    private readonly storages: Storages,
    private readonly repositories: Repositories,
    private readonly refs: ProtectedRefs,
  ) {}

  @OnEvent(projectDeleted)
  async removeRepositories({ data }: EventRecord<EventData<typeof projectDeleted>>): Promise<void> {
    // Processes with other storages hear of it under their own names.
    if (!this.storages.names.includes(data.storage)) return;
    const engine = this.storages.engine(data.storage);
    await engine.remove(engine.storage.path(data.project_id));
    await engine.remove(engine.storage.path(data.project_id, 'wiki'));
    await this.refs.removeOfProject(data.project_id);
    await this.repositories.remove(data.project_id);
  }
}
