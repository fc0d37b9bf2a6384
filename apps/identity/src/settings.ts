import { int, type SettingValues, url } from '@moothall/config';
import type { ServiceSettings } from '@moothall/service';

/** What identity reads from the environment besides the settings of every service. */
export const identitySettings = {
  SMTP_URL: url({
    optional: true,
    protocols: ['smtp', 'smtps'],
    about: 'Mail server; without one mails land as files',
  }),
  PROJECTS_LIMIT: int({ default: 100_000, min: 0, about: 'Projects that a new user may own' }),
};

export type IdentitySettings = ServiceSettings & SettingValues<typeof identitySettings>;
