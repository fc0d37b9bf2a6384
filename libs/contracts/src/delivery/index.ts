export * from './access';
export * from './errors';
export * from './release';
export * from './release-link';
