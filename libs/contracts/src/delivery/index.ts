export * from './access';
export * from './errors';
export * from './lfs';
export * from './lfs-lock';
export * from './package';
export * from './release';
export * from './release-export';
export * from './release-link';
