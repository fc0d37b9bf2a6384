export * from './authentication';
export * from './user';
