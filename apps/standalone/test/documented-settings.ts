import { ciSettings } from '@moothall/ci';
import type { Settings } from '@moothall/config';
import { gatewaySettings, rateLimitSettings } from '@moothall/gateway';
import { identitySettings } from '@moothall/identity';
import { projectsSettings } from '@moothall/projects';
import { registrySettings } from '@moothall/registry';
import { repositorySettings } from '@moothall/repository';
import { securitySettings } from '@moothall/security';
import { serviceSettings } from '@moothall/service';
import { standaloneSettings } from '../src/settings';

/** Made by the supervisor for the processes it starts; nobody sets them for `npm start`. */
const made = [
  'TICKET_KEY',
  'GIT_STORAGES',
  'OBJECT_STORAGE_DIR',
  'SSH_HOST_KEY_DIR',
  'DATA_PORT',
  'DATA_PORT_HOST',
  'DATA_PORT_ADVERTISED_HOST',
];

/** Every setting that `npm start` and what it starts read, as README lists them: its own first. */
export function documentedSettings(): Settings {
  const all: Settings = {
    ...standaloneSettings,
    ...gatewaySettings,
    ...rateLimitSettings,
    ...serviceSettings,
    ...identitySettings,
    ...projectsSettings,
    ...repositorySettings,
    ...ciSettings,
    ...registrySettings,
    ...securitySettings,
    ...standaloneSettings,
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => !made.includes(name)));
}
