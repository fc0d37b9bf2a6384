import { int, type SettingValues, string } from '@moothall/config';
import { mailSettings } from '@moothall/mail';
import type { ServiceSettings } from '@moothall/service';

/** What identity reads from the environment besides the settings of every service. */
export const identitySettings = {
  ...mailSettings,
  SIGN_IN_FAILURES: int({
    default: 10,
    min: 0,
    about:
      'Failed sign-ins to one account from one address in ten minutes, ten times as many from one address, and to one account from addresses that its owner does not use; 0 for no limit',
  }),
  REPORTED_VERSION: string({
    default: '13.6.0',
    pattern: /^\d{1,3}\.\d{1,3}\.\d{1,3}(-[\w.]{1,30})?$/,
    form: 'a version such as `13.6.0` or `17.5.1-ee`',
    about:
      'The release of the v4 interface that `/version` and `/metadata` tell; some clients use newer parts only when it says so (docs/clients.md), and the server has the same parts in any case',
  }),
  SIGNATURE_CA_FILE: string({
    optional: true,
    about: 'Certificates (PEM) from which those that sign commits are believed, besides those that Node knows',
  }),
  TOKEN_PREFIX: string({
    default: 'glpat-',
    pattern: /^[\w-]{0,20}$/,
    form: 'at most 20 letters, digits, `-` and `_`',
    about: 'Personal, project and impersonation tokens begin with it; programs know them by the default',
  }),
};

export type IdentitySettings = ServiceSettings & SettingValues<typeof identitySettings>;
