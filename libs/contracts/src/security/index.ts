export * from './access';
export * from './dashboard';
export * from './errors';
export * from './export';
export * from './report';
export * from './vulnerability';
