import { type SettingValues, secret, string, url } from '@moothall/config';
import type { ServiceSettings } from '@moothall/service';

/** Settings of the registry service besides the common ones. */
export const registrySettings = {
  REGISTRY_URL: url({
    optional: true,
    protocols: ['http', 'https'],
    about: 'Address of the container registry for the services; without it there are no container images',
  }),
  REGISTRY_TOKEN_KEY: string({
    optional: true,
    about: 'PEM file with the RSA key that signs registry tokens, and its certificate',
  }),
  REGISTRY_NOTIFICATION_SECRET: secret({
    optional: true,
    minLength: 20,
    about: 'Value of the `Authorization` header in notifications of the container registry',
  }),
};

export type RegistrySettings = ServiceSettings & SettingValues<typeof registrySettings>;
