import {
  authenticationErrors,
  type Caller,
  type CredentialKind,
  type OperationError,
  type Scope,
} from '@moothall/contracts';
import type { User } from './user.schema';

export interface Proof {
  credential: CredentialKind;
  scopes: Scope[];
  tokenId?: number;
  projectId?: number;
}

/** The caller that other services get for a user. */
export function callerOf(user: User, proof: Proof): Caller {
  return {
    id: user._id,
    username: user.username,
    name: user.name,
    email: user.email,
    isAdmin: user.isAdmin,
    isExternal: user.isExternal,
    ...proof,
  };
}

const deactivated = '403 Forbidden - Your account has been deactivated by your administrator.';

/** The reason why a user may not act at all, if any. */
export function refusalOf(user: User): OperationError | undefined {
  if (user.state === 'blocked' || user.state === 'banned' || user.kind === 'ghost')
    return authenticationErrors.blocked();
  return user.state === 'deactivated' ? authenticationErrors.blocked(deactivated) : undefined;
}
