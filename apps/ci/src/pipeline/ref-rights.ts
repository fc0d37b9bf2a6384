import { type Caller, ciRefAccess, forbidden, type ProjectRef } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';

/** What may run on a protected branch or tag, with its secrets, is for those who may change that. See docs/api/pipelines.md#3. */
@Injectable()
export class RefRights {
  constructor(private readonly client: OperationClient) {}

  /** @throws common.forbidden */
  async require(project: ProjectRef, caller: Caller, ref: string): Promise<void> {
    const { may_update } = await this.client.call(ciRefAccess, { ref, is_admin: caller.isAdmin }, { project });
    if (!may_update) throw forbidden();
  }
}
