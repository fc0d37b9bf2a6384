import { int, type SettingValues } from '@moothall/config';
import { mailSettings } from '@moothall/mail';
import type { ServiceSettings } from '@moothall/service';

/** What identity reads from the environment besides the settings of every service. */
export const identitySettings = {
  ...mailSettings,
  SIGN_IN_FAILURES: int({
    default: 10,
    min: 0,
    about:
      'Failed sign-ins to one account from one address in ten minutes, ten times as many from the address; 0 for no limit',
  }),
  PROJECTS_LIMIT: int({ default: 100_000, min: 0, about: 'Projects that a new user may own' }),
};

export type IdentitySettings = ServiceSettings & SettingValues<typeof identitySettings>;
