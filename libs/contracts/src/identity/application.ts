import { z } from 'zod';
import { administrator, del, errors, get, id, nothing, operation, page, post, text } from '../operation';

export const applicationErrors = errors('application', {
  notFound: { status: 404, message: '404 Application Not Found', means: 'No such application.' },
});

/** An OAuth application. See docs/api/oauth.md#2. */
const Application = z.object({
  id,
  application_id: z.string(),
  application_name: z.string(),
  callback_url: z.string().describe('One redirect URI per line'),
  confidential: z.boolean(),
});

export const listApplications = operation({
  name: 'identity.applications.list',
  summary: 'OAuth applications of the instance',
  http: get('/applications'),
  access: administrator(),
  input: z.object({}),
  output: page(Application),
});

export const createApplication = operation({
  name: 'identity.applications.create',
  summary: 'Register an OAuth application',
  description:
    'For all users of the instance; users register their own on the page `/-/profile/applications`. The answer holds the secret, this once; an application without `confidential` has none and uses PKCE.',
  refusals: ['common.invalid_record for redirect URIs and scopes'],
  http: post('/applications'),
  access: administrator(),
  input: z.object({
    name: text,
    redirect_uri: text.describe('One per line'),
    scopes: text.describe('Joined by blanks'),
    confidential: z.boolean().default(true).describe('Whether the client can store a secret (RFC 6749, 2.1)'),
    trusted: z.boolean().default(false).describe('Users are not asked to consent'),
  }),
  output: Application.extend({ secret: z.string() }),
});

export const deleteApplication = operation({
  name: 'identity.applications.delete',
  summary: 'Delete an OAuth application',
  description: 'Its tokens stop working.',
  refusals: ['application.not_found'],
  http: del('/applications/:id'),
  access: administrator(),
  input: z.object({ id }),
  output: nothing(),
});
