import { randomUUID } from 'node:crypto';
import { registryAudience } from '@moothall/contracts';
import { sign } from 'jsonwebtoken';
import type { SigningKey } from './signing-key';

/** As the registry's configuration has it under `issuer`. */
export const tokenIssuer = 'moothall';
export const lifetimeSeconds = 300;
/** Registries whose clock is behind take the token all the same; those of 2.8 allow a minute besides. */
const earlierSeconds = 5;

/** What a token opens. */
export interface GrantedAccess {
  type: string;
  name: string;
  actions: string[];
}

/** A token that a registry takes. Source: Docker Registry v2 authentication, "Token Authentication Implementation". */
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
