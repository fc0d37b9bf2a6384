export * from './copied-files';
export * from './copied-images';
export * from './errors';
export * from './feed';
export * from './node';
export * from './question';
export * from './status';
