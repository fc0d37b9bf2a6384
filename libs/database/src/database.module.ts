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

export interface DatabaseOptions {
  /** Name of the service; its database is `<prefix>_<service>`, and nobody else reads it. */
  service: string;
  uri: string;
  /** Separates instances on one MongoDB. */
  prefix: string;
  /** What has to be done before the service answers or follows anything. */
  migrations?: readonly Migration[] | undefined;
  /** Whether its commands are parts of traces. */
  isTraced?: boolean | undefined;
}

/** A service's own database: connection, ids, indexes and outbox. Collections come with MongooseModule.forFeature. */
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
          // Indexes builds them, and handles those that cannot be built.
          autoIndex: false,
          // The first index, or else the first document, makes a collection: no command is needed for it.
          autoCreate: false,
          monitorCommands: isTraced,
          connectionFactory: (connection: Connection) =>
            isTraced ? traceCommands(noteWaits(connection)) : noteWaits(connection),
          retryAttempts: 40,
          retryDelay: 250,
        }),
      ],
      providers: [Counters, Indexes, Outbox, RecordIds, SharedWrites, migrated(migrations)],
      exports: [Counters, Indexes, Outbox, RecordIds, SharedWrites],
    };
  }
}

/** Whatever begins by itself does so in hooks, and these run once all providers are there. */
const migrated = (migrations: readonly Migration[]) => ({
  provide: Symbol('migrated'),
  inject: [getConnectionToken()],
  useFactory: (connection: Connection) => migrate(connection, migrations),
});
