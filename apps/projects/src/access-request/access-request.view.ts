import type { AccessRequest } from '@moothall/contracts';
import type { UserRecord } from '@moothall/users';
import type { AccessRequestDocument } from './access-request.schema';

export const viewAccessRequest = (request: AccessRequestDocument, user: UserRecord): AccessRequest => ({
  id: user.id,
  username: user.username,
  name: user.name,
  state: user.state,
  avatar_url: user.avatar_url,
  web_url: user.web_url,
  created_at: user.created_at,
  requested_at: request.requestedAt.toISOString(),
});
