import { int, type SettingValues, string } from '@moothall/config';
import { mailSettings } from '@moothall/mail';
import type { ServiceSettings } from '@moothall/service';

/** Settings of the identity service besides the common ones. */
export const identitySettings = {
  ...mailSettings,
  SIGN_IN_FAILURES: int({
    default: 10,
    min: 0,
    about:
      'Failed sign-ins in ten minutes before further ones are refused: for one account from one address; ten times as many for one address, and for one account from addresses that its owner does not use. 0 is no limit',
  }),
  REPORTED_VERSION: string({
    default: '13.6.0',
    pattern: /^\d{1,3}\.\d{1,3}\.\d{1,3}(-[\w.]{1,30})?$/,
    form: 'a version such as `13.6.0` or `17.5.1-ee`',
    about:
      'Version of the v4 interface in `/version` and `/metadata`. Some clients use newer operations only if it is high enough (docs/clients.md); the server has the same operations in any case',
  }),
  SIGNATURE_CA_FILE: string({
    optional: true,
    about: 'PEM file of certificate authorities for signed commits, besides those of Node',
  }),
  TOKEN_PREFIX: string({
    default: 'glpat-',
    pattern: /^[\w-]{0,20}$/,
    form: 'at most 20 letters, digits, `-` and `_`',
    about: 'Prefix of personal, project and impersonation access tokens. Secret scanners recognize the default',
  }),
};

export type IdentitySettings = ServiceSettings & SettingValues<typeof identitySettings>;
