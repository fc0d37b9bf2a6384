import { readFileSync } from 'node:fs';
import { settingsToken } from '@moothall/service';
import { Inject, Injectable } from '@nestjs/common';
import type { RegistrySettings } from '../settings/settings';
import { readSigningKey, type SigningKey } from './signing-key';

/** The configured key, absent without a registry. The service does not start with an invalid one. */
@Injectable()
export class TokenKey {
  readonly key?: SigningKey;

  constructor(@Inject(settingsToken) { REGISTRY_URL, REGISTRY_TOKEN_KEY }: RegistrySettings) {
    if (!REGISTRY_URL) return;
    if (!REGISTRY_TOKEN_KEY) throw new Error('REGISTRY_URL is set, and REGISTRY_TOKEN_KEY is not');
    this.key = readSigningKey(readFileSync(REGISTRY_TOKEN_KEY, 'utf8'));
  }
}
