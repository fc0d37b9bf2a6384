export * from './access';
export * from './group';
export * from './member';
export * from './namespace';
export * from './project';
export * from './settings';
