export * from './access';
export * from './errors';
export * from './package';
export * from './release';
export * from './release-link';
