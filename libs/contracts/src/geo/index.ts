export * from './copied-files';
export * from './errors';
export * from './feed';
export * from './node';
export * from './question';
export * from './status';
