export * from './authentication';
export * from './personal-access-token';
export * from './user';
export * from './user-view';
export * from './users';
