import { randomBytes } from 'node:crypto';
import { type Appearance, type OperationContext, sessionCookieIn } from '@moothall/contracts';
import { KnownAppearance } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import type { IdentitySettings } from '../settings/settings';
import { refusalOf } from '../user/caller';
import { Users } from '../user/user.repository';
import type { User } from '../user/user.schema';
import { isFormToken, maskedFormToken } from './form-token';
import { Sessions } from './session.repository';
import type { Session } from './session.schema';

/** State of the browser that requests a page. */
export interface Visit {
  /** Identifies the browser, signed in or not; every form token is bound to it. */
  cookie: string;
  /** Sets the cookie if the browser had none. */
  headers: Record<string, string>;
  /** For the hidden field `csrf` of forms; another text for each request. */
  csrf: string;
  session: Session | null;
  /** The signed-in user; null before the second factor. */
  user: User | null;
  ip: string;
  userAgent: string;
  /** How the instance presents itself on pages. */
  appearance: Appearance | undefined;
}

/** Browsers and their sessions. */
@Injectable()
export class Browsers {
  constructor(
    private readonly sessions: Sessions,
    private readonly users: Users,
    private readonly appearance: KnownAppearance,
    @Inject(settingsToken) private readonly settings: IdentitySettings,
  ) {}

  async visit({ client }: OperationContext): Promise<Visit> {
    const known = sessionCookieIn(client?.cookie);
    const cookie = known ?? newCookie();
    const session = known ? await this.sessions.find(known) : null;
    const user = session?.isComplete ? await this.users.find(session.userId) : null;
    return {
      cookie,
      headers: known ? {} : this.setCookie(cookie),
      csrf: maskedFormToken(this.settings.SECRET_KEY, cookie),
      session,
      // A user who was blocked meanwhile is signed out.
      user: user && !refusalOf(user) ? user : null,
      ip: client?.ip ?? 'unknown',
      userAgent: client?.userAgent ?? '',
      appearance: await this.appearance.read(),
    };
  }

  /** Whether a form was issued to this browser. */
  isOwnForm(visit: Visit, token: string | undefined): boolean {
    const { SECRET_KEY, SECRET_KEY_ACCEPTED: accepted } = this.settings;
    const keys = accepted === undefined ? [SECRET_KEY] : [SECRET_KEY, accepted];
    return keys.some((key) => isFormToken(token ?? '', key, visit.cookie));
  }

  /**
   * Signs a user in with a new cookie, which prevents session fixation.
   * @returns headers that set it
   */
  async signIn(visit: Visit, user: User, { isComplete }: { isComplete: boolean }): Promise<Record<string, string>> {
    const cookie = newCookie();
    await this.sessions.end(visit.cookie);
    await this.sessions.start(cookie, { userId: user._id, isComplete, ip: visit.ip, userAgent: visit.userAgent });
    if (isComplete) await this.noteSignIn(user, visit.ip);
    return this.setCookie(cookie);
  }

  async signOut(visit: Visit): Promise<Record<string, string>> {
    await this.sessions.end(visit.cookie);
    return this.setCookie(newCookie());
  }

  private noteSignIn(user: User, ip: string): Promise<void> {
    return this.users.note(user._id, {
      lastSignInAt: user.currentSignInAt ?? new Date(),
      lastSignInIp: user.currentSignInIp ?? ip,
      currentSignInAt: new Date(),
      currentSignInIp: ip,
      signInCount: user.signInCount + 1,
      lastActivityOn: new Date().toISOString().slice(0, 10),
    });
  }

  private setCookie(cookie: string): Record<string, string> {
    const secure = this.settings.EXTERNAL_URL.startsWith('https:') ? '; Secure' : '';
    return { 'set-cookie': `_moothall_session=${cookie}; Path=/; HttpOnly; SameSite=Lax${secure}` };
  }
}

const newCookie = (): string => randomBytes(32).toString('base64url');
