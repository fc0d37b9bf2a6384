export * from './access';
export * from './errors';
export * from './name-pattern';
export * from './notification';
export * from './protection-rule';
export * from './repository';
export * from './tag';
export * from './token';
