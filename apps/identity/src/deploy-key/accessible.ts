import { type Caller, callerInput, projectRefs } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import type { SshKey } from '../ssh-key/ssh-key.schema';

/** As many as projects answers about at once. */
const batch = 1000;

/** Which deploy keys somebody may put to use in another project. */
@Injectable()
export class AccessibleKeys {
  constructor(private readonly operations: OperationClient) {}

  /** Public ones, and those of a project that the caller is a member of. See docs/api/keys.md#2. */
  async includes(key: SshKey, caller: Caller): Promise<boolean> {
    if (key.isPublic) return true;
    const all = key.enablements.map(({ projectId }) => projectId);
    for (let start = 0; start < all.length; start += batch) {
      const ids = all.slice(start, start + batch);
      const projects = await this.operations.call(projectRefs, { ids, ...callerInput(caller) });
      if (projects.some((project) => project.accessLevel > 0)) return true;
    }
    return false;
  }
}
