import { type SettingValues, url } from '@moothall/config';
import { siteSettings } from '@moothall/messaging';
import type { ServiceSettings } from '@moothall/service';

/** Settings of the web service besides the common ones. */
export const webSettings = {
  ...siteSettings,
  REDIS_URL: url({ about: 'Redis for queues and limits' }),
};

export type WebSettings = ServiceSettings & SettingValues<typeof webSettings>;
