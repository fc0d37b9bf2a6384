export * from './record-counts';
export * from './reseal';
export * from './version';
