export { countUpTo, findPage } from './count';
export { Counters } from './counters';
export { DatabaseModule, type DatabaseOptions } from './database.module';
export { isDuplicateKey } from './duplicate-key';
export { matchesNothing } from './matches-nothing';
export { OneTurn } from './one-turn';
export { newEvent, Outbox, type Outboxed, outboxed } from './outbox';
export { PointReads } from './point-reads';
