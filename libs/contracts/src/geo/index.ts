export * from './errors';
export * from './node';
export * from './status';
