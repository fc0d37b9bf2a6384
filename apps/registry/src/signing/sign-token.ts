import { randomUUID } from 'node:crypto';
import { registryAudience } from '@moothall/contracts';
import { sign } from 'jsonwebtoken';
import type { SigningKey } from './signing-key';

/** The value of `issuer` in the registry's configuration. */
export const tokenIssuer = 'moothall';
export const lifetimeSeconds = 300;
/** Tolerance for a registry whose clock is behind; registries of version 2.8 allow a further minute. */
const earlierSeconds = 5;

/** Access that a token grants. */
export interface GrantedAccess {
  type: string;
  name: string;
  actions: string[];
}

/** A token for a registry. Source: Docker Registry v2 authentication, "Token Authentication Implementation". */
export function signToken(
  { privateKey, x5c }: SigningKey,
  subject: string,
  access: GrantedAccess[],
  now: Date,
): string {
  const iat = Math.floor(now.getTime() / 1000);
  const claims = {
    iss: tokenIssuer,
    sub: subject,
    aud: registryAudience,
    iat,
    nbf: iat - earlierSeconds,
    exp: iat + lifetimeSeconds,
    jti: randomUUID(),
    access,
  };
  return sign(claims, privateKey, { algorithm: 'RS256', header: { alg: 'RS256', typ: 'JWT', x5c } });
}
