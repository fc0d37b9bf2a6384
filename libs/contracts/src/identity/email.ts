import { z } from 'zod';
import {
  administrator,
  del,
  errors,
  get,
  id,
  nothing,
  operation,
  page,
  post,
  signedIn,
  text,
  time,
} from '../operation';

export const emailErrors = errors('email', {
  notFound: { status: 404, message: '404 Email Not Found', means: 'No such address of that user.' },
});

/** An address of a user besides the primary one. */
const Email = z.object({ id, email: z.string(), confirmed_at: time.nullable() });

export const listOwnEmails = operation({
  name: 'identity.emails.list',
  summary: 'Email addresses of the caller',
  description: 'Besides the primary one.',
  http: get('/user/emails'),
  access: signedIn(),
  scopes: ['read_user'],
  input: z.object({}),
  output: page(Email),
});

export const getOwnEmail = operation({
  name: 'identity.emails.get',
  summary: 'One email address of the caller',
  refusals: ['email.not_found'],
  http: get('/user/emails/:email_id'),
  access: signedIn(),
  scopes: ['read_user'],
  input: z.object({ email_id: id }),
  output: Email,
});

export const addOwnEmail = operation({
  name: 'identity.emails.add',
  summary: 'Add an email address to the caller',
  description: 'A mail to the address asks to confirm it.',
  http: post('/user/emails'),
  access: signedIn(),
  input: z.object({ email: text }),
  output: Email,
});

export const deleteOwnEmail = operation({
  name: 'identity.emails.delete',
  summary: 'Remove an email address of the caller',
  refusals: ['email.not_found'],
  http: del('/user/emails/:email_id'),
  access: signedIn(),
  input: z.object({ email_id: id }),
  output: nothing(),
});

export const listUserEmails = operation({
  name: 'identity.user-emails.list',
  summary: 'Email addresses of a user',
  description: 'Besides the primary one.',
  refusals: ['user.not_found'],
  http: get('/users/:id/emails'),
  access: administrator(),
  input: z.object({ id }),
  output: page(Email),
});

export const addUserEmail = operation({
  name: 'identity.user-emails.add',
  summary: 'Add an email address to a user',
  refusals: ['user.not_found'],
  http: post('/users/:id/emails'),
  access: administrator(),
  input: z.object({ id, email: text, skip_confirmation: z.boolean().default(false) }),
  output: Email,
});

export const deleteUserEmail = operation({
  name: 'identity.user-emails.delete',
  summary: 'Remove an email address of a user',
  refusals: ['user.not_found', 'email.not_found'],
  http: del('/users/:id/emails/:email_id'),
  access: administrator(),
  input: z.object({ id, email_id: id }),
  output: nothing(),
});
