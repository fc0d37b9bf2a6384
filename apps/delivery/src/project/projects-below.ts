import {
  type Caller,
  callerInput,
  type OutputOf,
  type ProjectRef,
  projectRefs,
  readableProjects,
} from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';

type Readable = OutputOf<typeof readableProjects>[number];

const projectsPerCall = 10_000;
const refsPerCall = 1_000;

/** Projects below a group that a caller may read. */
@Injectable()
export class ProjectsBelow {
  constructor(private readonly client: OperationClient) {}

  /** Ids of those that pass the filter, in order. */
  async ids(groupId: number, caller: Caller | undefined, isOpen: (project: Readable) => boolean): Promise<number[]> {
    const open: number[] = [];
    for (let after_id = 0; ; ) {
      const asked = { ...callerInput(caller), group_id: groupId, after_id, limit: projectsPerCall };
      const some = await this.client.call(readableProjects, asked);
      open.push(...some.filter(isOpen).map(({ id }) => id));
      if (some.length < projectsPerCall) return open;
      after_id = Math.max(...some.map(({ id }) => id));
    }
  }

  /** Projects by id, as the caller sees them. */
  async refs(ids: readonly number[], caller: Caller | undefined): Promise<Map<number, ProjectRef>> {
    const found = new Map<number, ProjectRef>();
    for (let from = 0; from < ids.length; from += refsPerCall) {
      const asked = { ids: ids.slice(from, from + refsPerCall), ...callerInput(caller) };
      for (const project of await this.client.call(projectRefs, asked)) found.set(project.id, project);
    }
    return found;
  }
}
