import { type Caller, callerInput, projectRefs } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import type { SshKey } from '../ssh-key/ssh-key.schema';

/** Batch size of the projects service. */
const batch = 1000;

/** Decides which deploy keys a user may enable in another project. */
@Injectable()
export class AccessibleKeys {
  constructor(private readonly operations: OperationClient) {}

  /** Public keys, and keys of projects that the caller is a member of. See docs/api/keys.md#2. */
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
