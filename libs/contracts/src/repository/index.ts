export * from './events';
export * from './git';
export * from './repository';
