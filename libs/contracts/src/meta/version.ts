import { z } from 'zod';
import { get, operation, signedIn } from '../operation';

const Version = z.object({ version: z.string(), revision: z.string() });
const metadata = {
  kas: z.object({ enabled: z.boolean(), externalUrl: z.string().nullable(), version: z.string().nullable() }),
  enterprise: z.boolean(),
};

/** See docs/api/instance.md#4. */
export const getVersion = operation({
  name: 'identity.version.get',
  onSecondary: 'here',
  summary: 'Version of the server',
  http: get('/version'),
  access: signedIn(),
  scopes: ['read_user'],
  input: z.object({}),
  // Without the rest, as replicas of earlier releases answer during an update.
  output: Version.extend(z.object(metadata).partial().shape),
});

/** See docs/api/instance.md#4. */
export const getMetadata = operation({
  name: 'identity.metadata.get',
  summary: 'Version of the server, its edition, and its agent server',
  description:
    'Clients and tools use it to detect the features of the server. There is no agent server: `kas` is disabled.',
  http: get('/metadata'),
  access: signedIn(),
  scopes: ['read_user'],
  input: z.object({}),
  output: Version.extend(metadata),
});
