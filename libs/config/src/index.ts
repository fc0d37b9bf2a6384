export { durabilitySettings } from './durability-settings';
export { readEnv, SettingsError } from './read-env';
export { renderSettings } from './render-settings';
export type { Setting, Settings, SettingValues } from './setting';
export { bool, bytes, directory, int, list, oneOf, seconds, secret, string, url } from './settings';
