import { type SettingValues, seconds } from '@moothall/config';
import { mailSettings } from '@moothall/mail';
import type { ServiceSettings } from '@moothall/service';

const day = 24 * 60 * 60;

/** Settings of the integrations service besides the common ones. */
export const integrationsSettings = {
  ...mailSettings,
  DELIVERY_TIMEOUT: seconds({
    default: 10,
    min: 1,
    about: 'Maximum time for a receiver to answer a webhook or integration',
  }),
  DELIVERY_RETRY_PAUSE: seconds({
    default: 5,
    min: 1,
    about: 'Delay before a failed delivery is retried; it doubles with each failure, up to two hours',
  }),
  DELIVERY_RETRY_SPAN: seconds({
    default: 8 * 60 * 60,
    min: 1,
    about: 'Time after which a failing delivery is dropped',
  }),
  HOOK_OFF_AFTER: seconds({
    default: 3 * day,
    min: 1,
    about: 'Webhooks and integrations are disabled after they have failed for this time without any success',
  }),
};

export type IntegrationsSettings = ServiceSettings & SettingValues<typeof integrationsSettings>;
