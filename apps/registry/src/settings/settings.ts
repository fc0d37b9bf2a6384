import { type SettingValues, secret, string, url } from '@moothall/config';
import type { ServiceSettings } from '@moothall/service';

/** What the registry service reads from the environment besides the settings of every service. */
export const registrySettings = {
  REGISTRY_URL: url({
    optional: true,
    protocols: ['http', 'https'],
    about: 'Where the container registry answers services; without it there is none',
  }),
  REGISTRY_TOKEN_KEY: string({
    optional: true,
    about: 'File with the RSA key that tokens for the container registry are signed with, and its certificate; PEM',
  }),
  REGISTRY_NOTIFICATION_SECRET: secret({
    optional: true,
    minLength: 20,
    about: 'What the container registry sends as `Authorization` with its notifications',
  }),
};

export type RegistrySettings = ServiceSettings & SettingValues<typeof registrySettings>;
