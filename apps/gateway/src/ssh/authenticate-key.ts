import { createHash } from 'node:crypto';
import { authenticateSshKey, type Caller, present } from '@moothall/contracts';
import { OperationClient } from '@moothall/messaging';
import { Injectable } from '@nestjs/common';
import { type PublicKeyAuthContext, utils } from 'ssh2';
import type { DeployKey } from '../git-transport/git-access';

/** Who opened a connection: a user, or a deploy key. */
export type KeyHolder = { caller: Caller; deployKey?: undefined } | { caller?: undefined; deployKey: DeployKey };

/** Tells who holds a key, as identity knows it. */
@Injectable()
export class SshKeyAuthenticator {
  constructor(private readonly operations: OperationClient) {}

  /** @throws common.unauthorized for unknown and expired keys; authentication.blocked */
  async holderOf(keyBlob: Buffer): Promise<KeyHolder> {
    const digest = createHash('sha256').update(keyBlob).digest('base64').replaceAll('=', '');
    const { caller, deploy_key } = await this.operations.call(authenticateSshKey, {
      fingerprint_sha256: `SHA256:${digest}`,
    });
    if (caller) return { caller };
    const { id, projects } = present(deploy_key, 'the holder of a key');
    return { deployKey: { id, projects } };
  }
}

/** A client first asks whether a key would do, and then proves that it has it. */
export function provesKey({ key, blob, signature, hashAlgo }: PublicKeyAuthContext): boolean {
  if (!signature || !blob) return false;
  const parsed = utils.parseKey(`${key.algo} ${key.data.toString('base64')}`);
  if (parsed instanceof Error) return false;
  return parsed.verify(blob, signature, hashAlgo) === true;
}
