import type { SshKey as SshKeyContract } from '@moothall/contracts';
import type { z } from 'zod';
import type { SshKey } from './ssh-key.schema';

export function viewKey(key: SshKey): z.infer<typeof SshKeyContract> {
  return {
    id: key._id,
    title: key.title,
    key: key.key,
    usage_type: key.usage ?? 'auth_and_signing',
    created_at: key.createdAt.toISOString(),
    expires_at: key.expiresAt?.toISOString() ?? null,
    last_used_at: key.lastUsedAt?.toISOString() ?? null,
  };
}
