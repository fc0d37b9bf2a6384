import type { RemoteMirror as View } from '@moothall/contracts';
import type { z } from 'zod';
import { fingerprintsOf } from './host-keys';
import type { RemoteMirror } from './remote-mirror.schema';

const time = (date: Date | null): string | null => date?.toISOString() ?? null;

export const viewMirror = (mirror: RemoteMirror): z.infer<typeof View> => ({
  id: mirror._id,
  enabled: mirror.isEnabled,
  url: mirror.shownUrl,
  update_status: mirror.status,
  last_error: mirror.lastError,
  last_update_at: time(mirror.updatedAt),
  last_update_started_at: time(mirror.startedAt),
  last_successful_update_at: time(mirror.succeededAt),
  only_protected_branches: mirror.onlyProtectedBranches,
  keep_divergent_refs: mirror.keepsDivergentRefs,
  auth_method: mirror.sshKey ? 'ssh_public_key' : 'password',
  host_keys: fingerprintsOf(mirror.knownHosts).map((fingerprint_sha256) => ({ fingerprint_sha256 })),
});

/** Name and password, if present, are shown as asterisks. See docs/api/mirrors.md#2. */
export function maskedUrl(url: URL): string {
  const shown = new URL(url);
  if (url.username) shown.username = '*****';
  if (url.password) shown.password = '*****';
  return shown.href;
}
