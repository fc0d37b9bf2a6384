export { runServices } from './main';
export { serviceSettings } from './settings';
export {
  type RunningService,
  type ServiceDefinition,
  type ServiceSettings,
  settingsToken,
  startService,
} from './start-service';
