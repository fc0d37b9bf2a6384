import type { DeployKey } from '@moothall/contracts';
import type { z } from 'zod';
import type { SshKey } from '../ssh-key/ssh-key.schema';
import { viewKey } from '../ssh-key/ssh-key.view';

export const viewDeployKey = (key: SshKey): z.infer<typeof DeployKey> => ({
  ...viewKey(key),
  fingerprint: key.md5,
  fingerprint_sha256: key.sha256,
});

/** With the rights of the key in that project. */
export const viewProjectDeployKey = (key: SshKey, projectId: number) => ({
  ...viewDeployKey(key),
  can_push: key.enablements.some((enablement) => enablement.projectId === projectId && enablement.canPush),
});
