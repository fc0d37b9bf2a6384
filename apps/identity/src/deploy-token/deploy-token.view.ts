import type { DeployToken as Shown } from '@moothall/contracts';
import { isExpired } from '../personal-access-token/token.view';
import type { DeployToken } from './deploy-token.schema';

export const viewDeployToken = (token: DeployToken): Shown => ({
  id: token._id,
  name: token.name,
  username: token.username,
  expires_at: token.expiresAt?.toISOString() ?? null,
  revoked: token.revokedAt !== null,
  expired: isExpired(token),
  scopes: token.scopes,
});
