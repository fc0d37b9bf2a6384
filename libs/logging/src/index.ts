export { createLogger, JsonLogger, logLevels } from './json-logger';
