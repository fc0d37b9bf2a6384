import { z } from 'zod';
import { administrator, del, errors, get, id, nothing, operation, page, post, text } from '../operation';

export const applicationErrors = errors('application', {
  notFound: { status: 404, message: '404 Application Not Found', means: 'No such application.' },
});

/** An OAuth application. Source: clarifications C.10. */
const Application = z.object({
  id,
  application_id: z.string(),
  application_name: z.string(),
  callback_url: z.string().describe('One redirect URI per line'),
  confidential: z.boolean(),
});

export const listApplications = operation({
  name: 'identity.applications.list',
  http: get('/applications'),
  access: administrator(),
  input: z.object({}),
  output: page(Application),
});

/** The secret is shown once. @throws common.invalid_record for redirect URIs and scopes */
export const createApplication = operation({
  name: 'identity.applications.create',
  http: post('/applications'),
  access: administrator(),
  input: z.object({
    name: text,
    redirect_uri: text.describe('One per line'),
    scopes: text.describe('Joined by blanks'),
    confidential: z.boolean().default(true),
    trusted: z.boolean().default(false).describe('Users are not asked to consent'),
  }),
  output: Application.extend({ secret: z.string() }),
});

/** Its tokens stop working. */
export const deleteApplication = operation({
  name: 'identity.applications.delete',
  http: del('/applications/:id'),
  access: administrator(),
  input: z.object({ id }),
  output: nothing(),
});
