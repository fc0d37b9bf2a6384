import { type DynamicModule, Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import { Counters } from './counters';
import { Outbox } from './outbox';

export interface DatabaseOptions {
  /** Name of the service; its database is `<prefix>_<service>`, and nobody else reads it. */
  service: string;
  uri: string;
  /** Tells instances on one MongoDB apart. */
  prefix: string;
}

/** A service's own database: connection, ids and outbox. Collections come with MongooseModule.forFeature. */
@Module({})
export class DatabaseModule {
  static forService({ service, uri, prefix }: DatabaseOptions): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      imports: [
        MongooseModule.forRoot(uri, {
          dbName: `${prefix}_${service}`,
          appName: service,
          // Reads right after a write by another replica must see it: majority on a replica set, no cost on one machine.
          writeConcern: { w: 'majority' },
          // Reads wait so long for a server that starts again; callers are answered within their own limit.
          serverSelectionTimeoutMS: 5_000,
          retryAttempts: 40,
          retryDelay: 250,
        }),
      ],
      providers: [Counters, Outbox],
      exports: [Counters, Outbox],
    };
  }
}
