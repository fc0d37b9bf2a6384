export * from './reseal';
export * from './version';
