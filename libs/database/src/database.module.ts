import { type DynamicModule, Module } from '@nestjs/common';
import { getConnectionToken, MongooseModule } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { connectionOptions, requireSafe } from './connection-options';
import { Counters } from './counters';
import { Indexes } from './indexes';
import { type Migration, migrate } from './migrations';
import { noteWaits, traceCommands } from './note-waits';
import { Outbox } from './outbox';
import { RecordIds } from './record-ids';
import { SharedWrites } from './shared-writes';
import { withShortReads } from './short-reads';

export interface DatabaseOptions {
  /** Name of the service; its database is `<prefix>_<service>`, and no other service reads it. */
  service: string;
  uri: string;
  /** Separates instances on one MongoDB. */
  prefix: string;
  /** Run before the service answers operations or consumes events. */
  migrations?: readonly Migration[] | undefined;
  /** Whether its commands are parts of traces. */
  isTraced?: boolean | undefined;
}

/**
 * The database of a service: connection, ids, indexes and outbox. Collections are added by MongooseModule.forFeature.
 */
@Module({})
export class DatabaseModule {
  static forService({ service, uri, prefix, migrations = [], isTraced = false }: DatabaseOptions): DynamicModule {
    requireSafe(uri);
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        MongooseModule.forRoot(uri, {
          dbName: `${prefix}_${service}`,
          appName: service,
          ...connectionOptions,
          // `Indexes` builds them, and handles failures.
          autoIndex: false,
          // The first index, or the first document, creates a collection: no command is needed.
          autoCreate: false,
          monitorCommands: isTraced,
          connectionFactory: (connection: Connection) =>
            withShortReads(isTraced ? traceCommands(noteWaits(connection)) : noteWaits(connection)),
          retryAttempts: 40,
          retryDelay: 250,
        }),
      ],
      providers: [Counters, Indexes, Outbox, RecordIds, SharedWrites, migrated(migrations)],
      exports: [Counters, Indexes, Outbox, RecordIds, SharedWrites],
    };
  }
}

/** Background work starts in hooks, which run after all providers exist. */
const migrated = (migrations: readonly Migration[]) => ({
  provide: Symbol('migrated'),
  inject: [getConnectionToken()],
  useFactory: (connection: Connection) => migrate(connection, migrations),
});
