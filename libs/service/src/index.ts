export { imagePrefix, registryHost } from './image-names';
export { runServices } from './main';
export { serviceSettings, statelessSettings } from './settings';
export {
  type RunningService,
  type ServiceDefinition,
  type ServiceSettings,
  settingsToken,
  standBy,
  startService,
} from './start-service';
