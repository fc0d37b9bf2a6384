import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { hostInAddress, localAddress } from '../program/local-address';
import { type Placement, placeFiles } from '../program/placement';
import { type RunningProgram, startProgram } from '../program/start-program';
import { tryUntilReady } from '../program/try-until-ready';

/** How a container registry works with Moothall. */
export interface RegistryOptions {
  host: string;
  /** Where clients get their tokens. */
  realm: string;
  /** Of the key that tokens are signed with; PEM. */
  certificate: string;
  /** The URL and `Authorization` of its notifications. */
  notifications: { url: string; secret: string };
}

/** Names in tokens; see `registryAudience` and `tokenIssuer`. */
const service = 'container_registry';
const issuer = 'moothall';

/**
 * Starts docker-registry (CNCF distribution 2.8) with its images in the folder `registry`.
 * @throws ProgramError, see startProgram
 */
export async function startRegistry(place: Placement, port: number, options: RegistryOptions): Promise<RunningProgram> {
  const { folder, configFile, ...files } = placeFiles(place, 'registry');
  const certificateFile = path.join(place.runFolder, 'registry-certificate.pem');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(certificateFile, options.certificate, { mode: 0o600 });
  // JSON is YAML, which it reads.
  const config = JSON.stringify(configOf(folder, port, certificateFile, options), null, 2);
  writeFileSync(configFile, config, { mode: 0o600 });
  const url = `${localAddress(options.host, port)}/v2/`;
  return startProgram({
    name: 'docker-registry',
    command: 'docker-registry',
    args: ['serve', configFile],
    ...files,
    waitUntilReady: (_child, signal) => tryUntilReady(() => ping(url), signal),
  });
}

function configOf(folder: string, port: number, rootcertbundle: string, options: RegistryOptions) {
  const { host, realm, notifications } = options;
  return {
    version: 0.1,
    log: { level: 'warn', formatter: 'json', accesslog: { disabled: true } },
    // Without its cache of descriptors, which does not notice deletions.
    storage: { filesystem: { rootdirectory: folder }, delete: { enabled: true } },
    http: { addr: `${hostInAddress(host)}:${port}` },
    auth: { token: { realm, service, issuer, rootcertbundle } },
    notifications: {
      endpoints: [
        {
          name: 'moothall',
          url: notifications.url,
          headers: { Authorization: [notifications.secret] },
          timeout: '30s',
          threshold: 3,
          backoff: '1s',
          ignore: { mediatypes: ['application/octet-stream'], actions: ['pull'] },
        },
      ],
    },
  };
}

async function ping(url: string): Promise<void> {
  const { status } = await fetch(url);
  // It requires a token.
  if (status !== 401) throw new Error(`docker-registry answers ${status}`);
}
