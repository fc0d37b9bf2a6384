import type { Settings } from '@moothall/config';
import { standaloneSettings } from '../src/settings';
import { settingsOfApps } from './settings-of-apps';

/** Set by the supervisor for its processes; users do not set them for `npm start`. */
const made = [
  'TICKET_KEY',
  'TICKET_KEY_ACCEPTED',
  'GIT_STORAGES',
  'OBJECT_STORAGE_DIR',
  'UPLOAD_DIR',
  'SSH_HOST_KEY_DIR',
  'DATA_PORT',
  'DATA_PORT_HOST',
  'DATA_PORT_ADVERTISED_HOST',
];

/** Every setting of `npm start` and its programs, in the order of docs/settings.md within a group: its own first. */
export function documentedSettings(): Settings {
  const all: Settings = {
    ...standaloneSettings,
    ...Object.assign({}, ...Object.values(settingsOfApps)),
    ...standaloneSettings,
  };
  return Object.fromEntries(Object.entries(all).filter(([name]) => !made.includes(name)));
}
