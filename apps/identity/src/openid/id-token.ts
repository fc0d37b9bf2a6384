import { createHash, randomUUID } from 'node:crypto';
import type { ParsedOf, signJobIdToken } from '@moothall/contracts';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import { decode, sign, verify } from 'jsonwebtoken';
import { Applications } from '../application/application.repository';
import type { AuthorizationCode } from '../oauth/authorization-code.schema';
import type { OauthToken } from '../oauth/oauth-token.schema';
import type { IdentitySettings } from '../settings/settings';
import { Users } from '../user/user.repository';
import { Claims } from './claims';
import { SigningKeys } from './signing-key';

const lifetimeSeconds = 120;
/** Tolerance for clients whose clock is behind. */
const allowedSkewSeconds = 5;

/** The issuer: the external URL without the trailing slash. */
export const issuerOf = ({ EXTERNAL_URL }: IdentitySettings): string => EXTERNAL_URL.replace(/\/$/, '');

/** Signed id tokens about users who signed in. */
@Injectable()
export class IdTokens {
  constructor(
    private readonly applications: Applications,
    private readonly users: Users,
    private readonly claims: Claims,
    private readonly keys: SigningKeys,
    @Inject(settingsToken) private readonly settings: IdentitySettings,
  ) {}

  /** @returns undefined without an application as audience, or without a user */
  async make(
    token: OauthToken,
    { accessToken, code }: { accessToken: string; code?: AuthorizationCode | undefined },
  ): Promise<string | undefined> {
    const application = token.applicationId === null ? null : await this.applications.find(token.applicationId);
    const user = token.userId === null ? null : await this.users.find(token.userId);
    if (!application || !user) return undefined;
    const { kid, privateKey } = await this.keys.current();
    const payload = {
      ...this.claims.collect(user, token.scopes),
      ...(code && { auth_time: Math.floor(code.authenticatedAt.getTime() / 1000) }),
      ...(code?.nonce && { nonce: code.nonce }),
      at_hash: halfHash(accessToken),
    };
    return sign(payload, privateKey, {
      algorithm: 'RS256',
      keyid: kid,
      issuer: issuerOf(this.settings),
      audience: application.uid,
      expiresIn: lifetimeSeconds,
    });
  }

  /** An id token of a running job for other systems. */
  async makeForJob({
    subject,
    audiences,
    claims,
    expires_in_seconds,
  }: ParsedOf<typeof signJobIdToken>): Promise<string> {
    const { kid, privateKey } = await this.keys.current();
    return sign({ nbf: Math.floor(Date.now() / 1000) - allowedSkewSeconds, ...claims }, privateKey, {
      algorithm: 'RS256',
      keyid: kid,
      issuer: issuerOf(this.settings),
      subject,
      audience: audiences.length === 1 ? audiences[0] : audiences,
      jwtid: randomUUID(),
      expiresIn: expires_in_seconds,
    });
  }

  /** The subject of an id token of this server, even if it has expired. @returns undefined for any other text */
  async subjectOf(idToken: string): Promise<string | undefined> {
    const published = await this.keys.published();
    try {
      const named = decode(idToken, { complete: true })?.header.kid;
      const key = published.find(({ kid }) => kid === named);
      if (!key) return undefined;
      const options = { algorithms: ['RS256' as const], issuer: issuerOf(this.settings), ignoreExpiration: true };
      const claims = verify(idToken, key.publicKey, options);
      return typeof claims === 'string' ? undefined : claims.sub;
    } catch {
      return undefined;
    }
  }
}

/** Binds the id token to the access token it came with. Source: OpenID Connect Core 3.1.3.6. */
const halfHash = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');
