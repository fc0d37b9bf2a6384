import { z } from 'zod';
import { anyone, bytes, get, id, internal, operation, post, type Route, raw, time } from '../operation';
import { callerSchema } from './authentication';

/*
 * Pages to sign in, and of accounts: server-rendered, without scripts. A session cookie identifies the user, and every
 * form contains a token that is bound to it.
 */

const given = z.string().optional();
const atRoot = { atRoot: true, success: 200 };

const pageOf = <S extends z.ZodRawShape>(name: string, summary: string, route: Route, fields: S) =>
  operation({
    name: `identity.pages.${name}`,
    summary,
    http: route,
    access: anyone(),
    input: z.object(fields),
    output: raw(),
  });
const shown = <S extends z.ZodRawShape>(name: string, summary: string, path: string, fields: S) =>
  pageOf(name, summary, get(path, atRoot), fields);
const sent = <S extends z.ZodRawShape>(name: string, summary: string, path: string, fields: S) =>
  pageOf(name, summary, post(path, atRoot), { ...fields, csrf: given });

const wayBack = { return_to: given.describe('Path of the next page') };

export const showSignIn = shown('show-sign-in', 'Page: sign in', '/users/sign_in', {
  ...wayBack,
  again: given.describe('Asks for the password even if a user is signed in'),
});
export const signIn = sent('sign-in', 'Sign in', '/users/sign_in', { ...wayBack, login: given, password: given });
export const showSecondFactor = shown(
  'show-second-factor',
  'Page: second factor',
  '/users/sign_in/two_factor',
  wayBack,
);
export const checkSecondFactor = sent('check-second-factor', 'Give the second factor', '/users/sign_in/two_factor', {
  ...wayBack,
  code: given,
});
export const signOut = sent('sign-out', 'Sign out', '/users/sign_out', {});

export const showPassword = shown('show-password', 'Page: change the password', '/-/profile/password', wayBack);
export const changePassword = sent('change-password', 'Change the password', '/-/profile/password', {
  ...wayBack,
  current_password: given,
  password: given,
  password_confirmation: given,
});

export const showForgottenPassword = shown(
  'show-forgotten-password',
  'Page: forgotten password',
  '/users/password/new',
  {},
);
export const requestPasswordReset = sent(
  'request-password-reset',
  'Request a mail to reset the password',
  '/users/password/new',
  { email: given },
);
export const showPasswordReset = shown('show-password-reset', 'Page: reset the password', '/users/password/edit', {
  reset_password_token: given,
});
export const resetPassword = sent('reset-password', 'Reset the password', '/users/password/edit', {
  reset_password_token: given,
  password: given,
  password_confirmation: given,
});

/** A link is followed with GET, and this one is valid once. */
export const confirmEmail = {
  ...shown('confirm-email', 'Page: confirm an email address', '/users/confirmation', { confirmation_token: given }),
  isRead: false,
};

export const showTwoFactor = shown(
  'show-two-factor',
  'Page: two-factor authentication',
  '/-/profile/two_factor_auth',
  {},
);
export const enableTwoFactor = sent(
  'enable-two-factor',
  'Switch two-factor authentication on',
  '/-/profile/two_factor_auth',
  { secret: given, code: given },
);
export const disableTwoFactor = sent(
  'disable-two-factor',
  'Switch two-factor authentication off',
  '/-/profile/two_factor_auth/disable',
  {
    current_password: given,
  },
);

export const showApplications = shown('show-applications', 'Page: applications', '/-/profile/applications', {});
export const revokeAuthorization = sent(
  'revoke-authorization',
  'End the access of an application',
  '/-/profile/applications/revoke',
  {
    application: given,
  },
);
export const registerApplication = sent(
  'register-application',
  'Register an application of the caller',
  '/-/profile/applications',
  {
    name: given,
    redirect_uri: given,
    scopes: z.array(z.string()).optional(),
    confidential: given,
  },
);
export const removeApplication = sent(
  'remove-application',
  'Remove an application of the caller',
  '/-/profile/applications/delete',
  { application: given },
);

export const showBackgroundJobs = shown('show-background-jobs', 'Page: background jobs', '/admin/background_jobs', {});
export const retryBackgroundJob = sent('retry-background-job', 'Try a background job again', '/admin/background_jobs', {
  job: given.describe('Id of a failed job'),
});

/**
 * The session of a browser, by the cookie in the context, for pages of other services. A form of a page contains `csrf`;
 * identity checks it.
 */
export const identifyBrowser = operation({
  name: 'identity.sessions.identify-browser',
  access: internal(),
  isRead: true,
  input: z.object({ csrf: given.describe('Of a form that the browser sends') }),
  output: z.object({
    headers: z.record(z.string(), z.string()).describe('Set the cookie of a new browser'),
    csrf: z.string(),
    session: z.string().nullish().describe('Id of the session; null if nobody is signed in'),
    expires_at: time.nullish().describe('When the session ends; null if nobody is signed in'),
    is_own_form: z.boolean().describe('Whether the form was shown in this browser'),
    caller: callerSchema.nullable().describe('The signed-in user; null before the second factor'),
    is_password_due: z.boolean().describe('Whether the user must first change the password'),
  }),
});

export const getAvatar = operation({
  name: 'identity.avatars.get',
  summary: 'The picture of a user',
  description: 'At the address that `avatar_url` gives.',
  http: get('/uploads/-/system/user/avatar/:user_id/:filename', { atRoot: true }),
  access: anyone(),
  input: z.object({ user_id: id, filename: z.string() }),
  output: bytes('image/png'),
});
