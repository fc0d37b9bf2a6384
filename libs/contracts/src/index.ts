export * from './ci';
export * from './collaboration';
export * from './collaboration/group-export';
export * from './identity';
export * from './meta';
export * from './operation';
export { operations, operationsOf } from './operations';
export * from './projects';
export * from './repository';
