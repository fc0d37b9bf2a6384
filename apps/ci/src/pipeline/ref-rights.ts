import { type Caller, ciRefAccess, forbidden, type ProjectRef } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';

/**
 * Only users who may change a protected branch or tag may run jobs on it, with its secrets. See
 * docs/api/pipelines.md#3.
 */
@Injectable()
export class RefRights {
  constructor(private readonly client: OperationClient) {}

  /** @throws common.forbidden */
  async require(project: ProjectRef, caller: Caller, ref: string): Promise<void> {
    const { may_update } = await this.client.call(ciRefAccess, { ref, is_admin: caller.isAdmin }, { project });
    if (!may_update) throw forbidden();
  }
}
