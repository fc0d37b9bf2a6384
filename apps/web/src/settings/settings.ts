import type { SettingValues } from '@moothall/config';
import { siteSettings } from '@moothall/messaging';
import type { ServiceSettings } from '@moothall/service';

/** Settings of the web service besides the common ones. */
export const webSettings = { ...siteSettings };

export type WebSettings = ServiceSettings & SettingValues<typeof webSettings>;
