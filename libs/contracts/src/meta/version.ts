import { z } from 'zod';
import { get, operation, signedIn } from '../operation';

const Version = z.object({ version: z.string(), revision: z.string() });

/** The release, as clients parse it. Source: clarifications C.10. */
export const getVersion = operation({
  name: 'identity.version.get',
  http: get('/version'),
  access: signedIn(),
  scopes: ['read_user'],
  input: z.object({}),
  output: Version,
});

export const getMetadata = operation({
  name: 'identity.metadata.get',
  http: get('/metadata'),
  access: signedIn(),
  scopes: ['read_user'],
  input: z.object({}),
  output: Version.extend({
    kas: z.object({ enabled: z.boolean(), externalUrl: z.string().nullable(), version: z.string().nullable() }),
    enterprise: z.boolean(),
  }),
});
