import { type SettingValues, seconds } from '@moothall/config';
import { mailSettings } from '@moothall/mail';
import type { ServiceSettings } from '@moothall/service';

const day = 24 * 60 * 60;

/** What the integrations service reads from the environment besides the settings of every service. */
export const integrationsSettings = {
  ...mailSettings,
  DELIVERY_TIMEOUT: seconds({ default: 10, min: 1, about: 'How long a receiver of a delivery may take to answer' }),
  DELIVERY_RETRY_PAUSE: seconds({
    default: 5,
    min: 1,
    about: 'Until a failed delivery is tried again; doubles each time, up to two hours',
  }),
  DELIVERY_RETRY_SPAN: seconds({
    default: 8 * 60 * 60,
    min: 1,
    about: 'Deliveries that fail for so long are given up',
  }),
  HOOK_OFF_AFTER: seconds({
    default: 3 * day,
    min: 1,
    about: 'Hooks and integrations that fail for so long, without any success, are switched off',
  }),
};

export type IntegrationsSettings = ServiceSettings & SettingValues<typeof integrationsSettings>;
