export * from './activity';
export * from './events';
export * from './hook';
export * from './integration';
export {
  type IntegrationEvent,
  type IntegrationField,
  type IntegrationKind,
  integrationEvents,
  integrationKind,
  integrationKinds,
} from './kinds';
export * from './status-check';
export * from './system-hook';
export * from './todo';
export * from './webhook';
