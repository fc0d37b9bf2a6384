import { authenticateSshKey, type Caller, present } from '@moothall/contracts';
import { RecordsClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import type { DeployKey } from './git-access';

/** The owner of a key: a user, or projects. */
export type KeyOwner = { fingerprint: string } & (
  | { caller: Caller; deployKey?: undefined }
  | { caller?: undefined; deployKey: DeployKey }
);

/** Resolves keys to their owner, by identity. */
@Injectable()
export class KeyOwners {
  constructor(private readonly records: RecordsClient) {}

  /**
   * @param fingerprint `SHA256:…`
   * @throws common.unauthorized for unknown and expired keys; authentication.blocked
   */
  async find(fingerprint: string): Promise<KeyOwner> {
    const { caller, deploy_key } = await this.records.call(authenticateSshKey, { fingerprint_sha256: fingerprint });
    if (caller) return { fingerprint, caller };
    const { id, projects } = present(deploy_key, 'the holder of a key');
    return { fingerprint, deployKey: { id, projects } };
  }
}
