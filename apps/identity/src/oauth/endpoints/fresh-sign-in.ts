import type { Session } from '../../session/session.schema';
import type { User } from '../../user/user.schema';
import type { AuthorizationRequest } from './authorization-request';

/** Facts about the sign-in behind a request. */
interface SignIn {
  user: User;
  session: Session | null;
  /**
   * Time in epoch milliseconds when an earlier step of the same request asked to sign in; undefined in the first step.
   */
  askedAt: number | undefined;
  /** The user whom the application expects, by `id_token_hint`. */
  hinted: string | undefined;
}

/** Whether the user signed in after the request asked for it. */
const hasJustSignedIn = ({ session, askedAt }: SignIn): boolean =>
  askedAt !== undefined && session !== null && session.createdAt.getTime() >= askedAt;

export const isExpected = ({ user, hinted }: Pick<SignIn, 'user' | 'hinted'>): boolean =>
  hinted === undefined || hinted === String(user._id);

/** Whether the user must sign in again, as the application requests. Source: OpenID Connect Core 3.1.2.1. */
export function mustSignInAgain(signIn: SignIn, { prompt, maxAgeSeconds }: AuthorizationRequest): boolean {
  if (hasJustSignedIn(signIn)) return false;
  if (prompt.includes('login') || prompt.includes('select_account') || !isExpected(signIn)) return true;
  const ageMs = Date.now() - (signIn.session?.createdAt.getTime() ?? 0);
  return maxAgeSeconds !== undefined && ageMs > maxAgeSeconds * 1000;
}
