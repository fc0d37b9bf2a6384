export * from './events';
export * from './repository';
