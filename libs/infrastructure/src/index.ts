export { chooseMongodb, type MongodbEngine, mongodbEngines } from './mongodb/choose-mongodb';
export { DatabaseSnapshot } from './mongodb/database-snapshot';
export { insertAsStored } from './mongodb/insert-as-stored';
export type { CollectionScan } from './mongodb/scans-of';
export { type RunningMongodb, startEmbeddedMongo } from './mongodb/start-embedded-mongo';
export { startMongod } from './mongodb/start-mongod';
export { natsMaxPayloadBytes, natsUrl, startNats } from './nats/start-nats';
export { watchJetStream } from './nats/watch-jetstream';
export { ownTemporaryFiles } from './own-temporary-files';
export { localAddress } from './program/local-address';
export type { Placement } from './program/placement';
export { findFreePort, startOnFreePort } from './program/start-on-free-port';
export {
  type Exit,
  ProgramError,
  type ProgramOptions,
  type RunningProgram,
  startProgram,
} from './program/start-program';
export { redisUrl, startRedis } from './redis/start-redis';
export { makeTokenKey, type TokenKey } from './registry/make-token-key';
export { type RegistryOptions, startRegistry } from './registry/start-registry';
export { endWithUs, recoveryPace, startTestInfrastructure, type TestInfrastructure } from './start-test-infrastructure';
