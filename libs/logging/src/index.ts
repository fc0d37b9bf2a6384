export { createLogger, JsonLogger, logLevels } from './json-logger';
export { unattended } from './unattended';
