import { z } from 'zod';
import { errors, event, id, nothing, operation, page, signedIn, time } from '../operation';

export const sessionErrors = errors('session', {
  notFound: { status: 404, message: '404 Session Not Found', means: 'No such session, or not one of the caller.' },
});

/** A browser in which a user is signed in. */
const Session = z.object({
  id: z.string(),
  created_at: time,
  expires_at: time,
  ip: z.string().describe('Address from which the user signed in'),
  user_agent: z.string().describe('Browser, as it describes itself'),
});

export const listOwnSessions = operation({
  name: 'identity.sessions.list',
  summary: 'Browser sessions of the caller, the latest first',
  onPages: true,
  access: signedIn(),
  isRead: true,
  input: z.object({}),
  output: page(Session),
});

export const endOwnSession = operation({
  name: 'identity.sessions.end',
  summary: 'Sign the caller out in one browser',
  onPages: true,
  refusals: ['session.not_found'],
  access: signedIn(),
  input: z.object({ id: z.string() }),
  output: nothing(),
});

/** One or all browser sessions of a user ended: caches drop them. */
export const sessionsEnded = event({
  name: 'identity.sessions.ended',
  data: z.object({ user_id: id }),
});

/** The cookie of a browser's session, in a `Cookie` header. */
export const sessionCookieIn = (header = ''): string | undefined =>
  /(?:^|;\s*)_moothall_session=([\w-]{43})(?:;|$)/.exec(header)?.[1];
