import {
  applicationSettingsChanged,
  type EventRecord,
  identifyBrowser,
  type OperationContext,
  type OutputOf,
  sessionCookieIn,
  sessionsEnded,
  userChanged,
  userDeleted,
} from '@moothall/contracts';
import type { OperationClient } from '@moothall/messaging';
import { masked, sha256, unmasked } from '@moothall/secrets';
import { EventedCache } from './evented-cache';

type Browser = OutputOf<typeof identifyBrowser>;

const userEvents = new Set([sessionsEnded.name, userChanged.name, userDeleted.name]);

/** Finds out who uses a browser, by the cookie of its session, from identity. */
export class BrowserUsers {
  private readonly signedIn = new EventedCache<Browser>({ max: 20_000, seconds: 60 });

  constructor(private readonly operations: Pick<OperationClient, 'call'>) {}

  /** @param csrf of a form that the browser sends: it changes something, so its session is always looked up */
  async identify(context: Pick<OperationContext, 'requestId' | 'client'>, csrf?: string): Promise<Browser> {
    const ask = () => this.operations.call(identifyBrowser, { csrf }, context);
    const cookie = sessionCookieIn(context.client?.cookie);
    if (csrf !== undefined || cookie === undefined) return ask();
    const known = await this.signedIn.get(sha256(cookie), ask, isSignedIn);
    return isOver(known) ? ask() : { ...known, csrf: maskedAgain(known.csrf) };
  }

  onEvent(event: EventRecord): void {
    // They decide how long sessions last.
    if (event.name === applicationSettingsChanged.name) this.forgetAll();
    if (!userEvents.has(event.name)) return;
    const { user_id } = event.data as { user_id: number };
    this.signedIn.drop(({ caller }) => caller?.id === user_id);
  }

  forgetAll(): void {
    this.signedIn.clear();
  }
}

/** Earlier versions of identity do not say when the session ends. */
const isSignedIn = ({ caller, expires_at, is_password_due }: Browser): boolean =>
  caller !== null && expires_at != null && !is_password_due;

const isOver = ({ expires_at }: Browser): boolean => expires_at != null && Date.parse(expires_at) <= Date.now();

/** Another text for each page. */
function maskedAgain(csrf: string): string {
  const token = unmasked(csrf);
  return token ? masked(token) : csrf;
}
