export * from './events';
export * from './job';
export * from './pipeline';
export * from './runner';
export * from './runner-job';
export * from './schedule';
export * from './variable';
