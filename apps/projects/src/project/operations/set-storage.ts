import { type ContextOf, commonErrors, type ParsedOf, projectChanged, setProjectStorage } from '@moothall/contracts';
import { newEvent, Outbox } from '@moothall/database';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Projects } from '../project.repository';

/** Stores the storage of a project's repository, during and after a move. */
@Controller()
export class SetStorage {
  constructor(
    private readonly projects: Projects,
    private readonly outbox: Outbox,
  ) {}

  @Handles(setProjectStorage)
  async handle(_: ContextOf<typeof setProjectStorage>, input: ParsedOf<typeof setProjectStorage>) {
    const { fullPath } = await this.projects.get(input.project_id);
    const event = newEvent(projectChanged, { project_id: input.project_id, full_path: fullPath, change: 'updated' });
    // Of two concurrent moves of one repository the second one fails here.
    const project = await this.outbox.update(
      this.projects.model,
      { _id: input.project_id, storage: input.from },
      { $set: { storage: input.storage, isReadOnly: input.is_read_only } },
      event,
    );
    if (!project) throw commonErrors.conflict();
    return { storage: project.storage, is_read_only: project.isReadOnly };
  }
}
