import { type EventData, type EventRecord, projectDeleted } from '@moothall/contracts';
import { OnEvent } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { repositoryKinds } from '../git/storage/storage';
import { ProtectedRefs } from '../protection/protected-ref.repository';
import { PushRuleSets } from '../push-rule/push-rule.repository';
import { Repositories } from '../record/repository.repository';
import { Storages } from '../storage/storages';
import { StorageMoves } from '../storage-move/storage-move.repository';

/** Removes the repositories of a deleted project, and their records. */
@Injectable()
export class DeletedProjects {
  constructor(
    private readonly storages: Storages,
    private readonly repositories: Repositories,
    private readonly refs: ProtectedRefs,
    private readonly pushRules: PushRuleSets,
    private readonly moves: StorageMoves,
  ) {}

  @OnEvent(projectDeleted, 'DeletedProjects-removeRepositories')
  async removeRepositories({ data }: EventRecord<EventData<typeof projectDeleted>>): Promise<void> {
    // A replica belongs to a project of the primary with the same id, which a project of this site could not replace.
    if ((await this.repositories.find(data.project_id))?.isReplica) return;
    // On every storage of this process: a move may have left a copy, or be creating one. Other processes handle theirs.
    for (const name of this.storages.names) {
      const engine = this.storages.engine(name);
      for (const kind of repositoryKinds) await engine.remove(engine.storage.path(data.project_id, kind));
    }
    await this.moves.removeOfProject(data.project_id);
    await this.refs.removeOfProject(data.project_id);
    await this.pushRules.remove({ kind: 'project', parentId: data.project_id });
    await this.repositories.remove(data.project_id);
  }
}
