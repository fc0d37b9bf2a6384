import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { localAddress, makeTokenKey, type Placement, startRegistry } from '@moothall/infrastructure';
import { findProgram } from '@moothall/processes';
import type { Values } from './child-environment';
import type { Launch } from './process/supervised';

/** A container registry to start, and its settings for the services. */
interface PreparedRegistry {
  url: string;
  launch: Launch;
  environment: Record<string, string>;
}

/**
 * Creates a new key and secret at each start: tokens are valid for minutes, and registry and services start together.
 * @returns undefined if a registry is configured, or `docker-registry` is not installed: everything else works without
 *   it
 */
export async function prepareRegistry(
  settings: Values,
  place: Placement,
  externalUrl: string,
): Promise<PreparedRegistry | undefined> {
  if (process.env.REGISTRY_URL || !findProgram('docker-registry')) return undefined;
  const { HOST: host, PORT, REGISTRY_PORT: port } = settings;
  const { privateKey, certificate } = await makeTokenKey();
  const keyFile = path.join(place.runFolder, 'registry-token-key.pem');
  writeFileSync(keyFile, `${privateKey}${certificate}`, { mode: 0o600 });
  const secret = randomBytes(24).toString('base64url');
  const options = {
    host,
    realm: `${externalUrl}/jwt/auth`,
    certificate,
    notifications: { url: `${localAddress(host, PORT)}/api/v4/container_registry_event/events`, secret },
  };
  const url = localAddress(host, port);
  return {
    url,
    launch: (signal) => startRegistry({ ...place, signal }, port, options),
    environment: {
      REGISTRY_URL: url,
      REGISTRY_EXTERNAL_URL: process.env.REGISTRY_EXTERNAL_URL ?? url,
      REGISTRY_TOKEN_KEY: keyFile,
      REGISTRY_NOTIFICATION_SECRET: secret,
    },
  };
}
