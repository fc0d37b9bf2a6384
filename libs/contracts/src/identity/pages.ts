import { z } from 'zod';
import { anyone, bytes, get, id, internal, operation, post, type Route, raw } from '../operation';

/*
 * Pages for people with a browser: server-rendered, without scripts. They know their user by a session cookie, and
 * every form carries a token that is bound to it.
 */

const given = z.string().optional();
const atRoot = { atRoot: true, success: 200 };

const pageOf = <S extends z.ZodRawShape>(name: string, route: Route, fields: S) =>
  operation({
    name: `identity.pages.${name}`,
    http: route,
    access: anyone(),
    input: z.object(fields),
    output: raw(),
  });
const shown = <S extends z.ZodRawShape>(name: string, path: string, fields: S) =>
  pageOf(name, get(path, atRoot), fields);
const sent = <S extends z.ZodRawShape>(name: string, path: string, fields: S) =>
  pageOf(name, post(path, atRoot), { ...fields, csrf: given });

const wayBack = { return_to: given.describe('Path to go on to') };

export const showSignIn = shown('show-sign-in', '/users/sign_in', {
  ...wayBack,
  again: given.describe('Asks for the password although somebody is signed in'),
});
export const signIn = sent('sign-in', '/users/sign_in', { ...wayBack, login: given, password: given });
export const showSecondFactor = shown('show-second-factor', '/users/sign_in/two_factor', wayBack);
export const checkSecondFactor = sent('check-second-factor', '/users/sign_in/two_factor', { ...wayBack, code: given });
export const signOut = sent('sign-out', '/users/sign_out', {});

export const showPassword = shown('show-password', '/-/profile/password', wayBack);
export const changePassword = sent('change-password', '/-/profile/password', {
  ...wayBack,
  current_password: given,
  password: given,
  password_confirmation: given,
});

export const showForgottenPassword = shown('show-forgotten-password', '/users/password/new', {});
export const requestPasswordReset = sent('request-password-reset', '/users/password/new', { email: given });
export const showPasswordReset = shown('show-password-reset', '/users/password/edit', { reset_password_token: given });
export const resetPassword = sent('reset-password', '/users/password/edit', {
  reset_password_token: given,
  password: given,
  password_confirmation: given,
});

export const confirmEmail = shown('confirm-email', '/users/confirmation', { confirmation_token: given });

export const showTwoFactor = shown('show-two-factor', '/-/profile/two_factor_auth', {});
export const enableTwoFactor = sent('enable-two-factor', '/-/profile/two_factor_auth', { secret: given, code: given });
export const disableTwoFactor = sent('disable-two-factor', '/-/profile/two_factor_auth/disable', {
  current_password: given,
});

export const showApplications = shown('show-applications', '/-/profile/applications', {});
export const revokeAuthorization = sent('revoke-authorization', '/-/profile/applications/revoke', {
  application: given,
});
export const registerApplication = sent('register-application', '/-/profile/applications', {
  name: given,
  redirect_uri: given,
  scopes: z.array(z.string()).optional(),
  confidential: given,
});
export const removeApplication = sent('remove-application', '/-/profile/applications/delete', { application: given });

/** What browsers are shown where the server has no page of its own: the start, a project's address, and whatever is not there. */
export const showPlace = operation({
  name: 'identity.pages.show-place',
  access: internal(),
  input: z.object({ path: z.string().describe('Path and query, as asked for') }),
  output: raw(),
});

/** The picture of a user, at the address that views give. */
export const getAvatar = operation({
  name: 'identity.avatars.get',
  http: get('/uploads/-/system/user/avatar/:user_id/:filename', { atRoot: true }),
  access: anyone(),
  input: z.object({ user_id: id, filename: z.string() }),
  output: bytes('image/png'),
});
