/**
 * Operations without a place in the matrix, by what they are of, and why. A new operation gets a rule there, and no name here:
 * the list only shrinks. apps/gateway/test/access-matrix.spec.ts has all of them, as their contracts say.
 */
export const notYet: { readonly [resource: string]: string } = {
  // The request itself identifies its caller: an OAuth client, a code, a password. oauth/*.e2e.ts tests them.
  'identity.oauth': 'authorize decide discovery introspect keys revoke token token-info userinfo',
  // Pages know sessions of browsers, which no role here has.
  'identity.pages':
    'change-password check-second-factor confirm-email disable-two-factor enable-two-factor register-application remove-application request-password-reset reset-password retry-background-job revoke-authorization show-applications show-background-jobs show-forgotten-password show-password show-password-reset show-second-factor show-sign-in show-two-factor sign-in sign-out',
  // They end the token that asks.
  'identity.personal-access-tokens': 'revoke-self rotate-self',
  // Avatars are readable for all who know their address, and there are none here.
  'identity.avatars': 'get',
  'projects.appearance': 'get-image',
  // A secret of their own, of a program and not of a user.
  'ci.jobs': 'current',
  'ci.runner-jobs': 'append-trace',
  'geo.questions': 'answer',
  'geo.statuses': 'report',
  'registry.events': 'take',
  'registry.tokens': 'issue',
};
