/**
 * Operations that are not in the matrix, by resource, with the reason. A new operation gets a rule there, and no name
 * here: the list only shrinks. apps/gateway/test/access-matrix.spec.ts has all of them, from their contracts.
 */
export const notYet: { readonly [resource: string]: string } = {
  // The request itself identifies its caller: an OAuth client, a code, a password. oauth/*.e2e.ts tests them.
  'identity.oauth': 'authorize decide discovery introspect keys revoke token token-info userinfo',
  // Pages use browser sessions, which no role here has.
  'identity.pages':
    'change-password check-second-factor confirm-email disable-two-factor enable-two-factor register-application remove-application request-password-reset reset-password retry-background-job revoke-authorization show-applications show-background-jobs show-forgotten-password show-password show-password-reset show-second-factor show-sign-in show-two-factor sign-in sign-out',
  // They revoke the token of the request.
  'identity.personal-access-tokens': 'revoke-self rotate-self',
  // Avatars can be read by everyone who knows their URL, and there are none here.
  'identity.avatars': 'get',
  'projects.appearance': 'get-image',
  // Authenticated by a secret of a program, not of a user.
  'ci.jobs': 'current',
  'ci.runner-jobs': 'append-trace',
  'geo.questions': 'answer',
  'geo.statuses': 'report',
  'registry.events': 'take',
  'registry.tokens': 'issue',
};
