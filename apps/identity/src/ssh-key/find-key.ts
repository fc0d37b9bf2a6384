import {
  type ContextOf,
  commonErrors,
  findKey,
  getKey,
  keyErrors,
  type ParsedOf,
  type ResultOf,
} from '@moothall/contracts';
import { Handles } from '@moothall/messaging';
import { Controller } from '@nestjs/common';
import { Users } from '../user/user.repository';
import { UserViews } from '../user/user.view';
import { SshKeys } from './ssh-key.repository';
import type { SshKey } from './ssh-key.schema';
import { viewKey } from './ssh-key.view';

/** Finds any key of the instance, for administrators. */
@Controller()
export class FindKey {
  constructor(
    private readonly keys: SshKeys,
    private readonly users: Users,
    private readonly views: UserViews,
  ) {}

  @Handles(getKey)
  async findById(
    _context: ContextOf<typeof getKey>,
    { id }: ParsedOf<typeof getKey>,
  ): Promise<ResultOf<typeof getKey>> {
    const key = await this.keys.find(id);
    if (!key) throw commonErrors.notFound();
    return this.view(key);
  }

  @Handles(findKey)
  async findByFingerprint(
    _context: ContextOf<typeof findKey>,
    { fingerprint }: ParsedOf<typeof findKey>,
  ): Promise<ResultOf<typeof findKey>> {
    const wanted = readFingerprint(fingerprint);
    if (!wanted) throw keyErrors.badFingerprint();
    const key = await this.keys.findByFingerprint(wanted);
    if (!key) throw keyErrors.notFound();
    return this.view(key);
  }

  private async view(key: SshKey) {
    const user = await this.users.find(key.userId);
    const projects = key.enablements.map((enablement) => ({
      id: enablement.id,
      deploy_key_id: key._id,
      project_id: enablement.projectId,
      created_at: enablement.createdAt.toISOString(),
      updated_at: enablement.updatedAt.toISOString(),
      can_push: enablement.canPush,
    }));
    return {
      ...viewKey(key),
      user: user && this.views.admin(user),
      ...(key.kind === 'deploy' && { deploy_keys_projects: projects }),
    };
  }
}

/** MD5 with or without its prefix; SHA256 with it. See docs/api/keys.md#3. */
export function readFingerprint(text: string): { md5: string } | { sha256: string } | undefined {
  const md5 = /^(?:MD5:)?((?:[0-9a-f]{2}:){15}[0-9a-f]{2})$/i.exec(text)?.[1];
  if (md5) return { md5: md5.toLowerCase() };
  // Clients that send it unencoded turn the plus signs of base64 into spaces.
  const sha256 = /^SHA256:[A-Za-z0-9+/]{43}$/.exec(text.replaceAll(' ', '+').replace(/=$/, ''))?.[0];
  return sha256 ? { sha256 } : undefined;
}
