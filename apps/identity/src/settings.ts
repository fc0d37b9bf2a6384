import { directory, int, type SettingValues, string, url } from '@moothall/config';
import type { ServiceSettings } from '@moothall/service';

/** What identity reads from the environment besides the settings of every service. */
export const identitySettings = {
  SMTP_URL: url({
    optional: true,
    protocols: ['smtp', 'smtps'],
    about: 'Mail server; without one mails land as files',
  }),
  MAIL_DIR: directory({ default: './data/mail', about: 'Where mails land as files when there is no mail server' }),
  MAIL_FROM: string({ optional: true, about: 'Sender of mails; moothall at the host of EXTERNAL_URL unless set' }),
  SIGN_IN_FAILURES: int({
    default: 10,
    min: 0,
    about:
      'Failed sign-ins to one account from one address in ten minutes, ten times as many from the address; 0 for no limit',
  }),
  PROJECTS_LIMIT: int({ default: 100_000, min: 0, about: 'Projects that a new user may own' }),
};

export type IdentitySettings = ServiceSettings & SettingValues<typeof identitySettings>;
