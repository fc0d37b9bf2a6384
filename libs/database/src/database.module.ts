import { type DynamicModule, Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { connectionOptions, requireSafe } from './connection-options';
import { Counters } from './counters';
import { Indexes } from './indexes';
import { Outbox } from './outbox';

export interface DatabaseOptions {
  /** Name of the service; its database is `<prefix>_<service>`, and nobody else reads it. */
  service: string;
  uri: string;
  /** Tells instances on one MongoDB apart. */
  prefix: string;
}

/** A service's own database: connection, ids, indexes and outbox. Collections come with MongooseModule.forFeature. */
@Module({})
export class DatabaseModule {
  static forService({ service, uri, prefix }: DatabaseOptions): DynamicModule {
    requireSafe(uri);
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        MongooseModule.forRoot(uri, {
          dbName: `${prefix}_${service}`,
          appName: service,
          ...connectionOptions,
          // Indexes builds them, and hears of what cannot be built.
          autoIndex: false,
          retryAttempts: 40,
          retryDelay: 250,
        }),
      ],
      providers: [Counters, Indexes, Outbox],
      exports: [Counters, Indexes, Outbox],
    };
  }
}
