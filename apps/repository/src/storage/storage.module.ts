import { settingsToken, standBy } from '@moothall/service';
import { Module } from '@nestjs/common';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { OutboundModule } from '../outbound/outbound.module';
import type { RepositorySettings } from '../settings/settings';
import { ReadQueue } from './fair-reads';
import { StorageHolding } from './storage-holding';
import { Storages, storageFolders } from './storages';
import { WriteGate } from './write-gate';

/** The storages of this process: leases, locations of repositories, and the queue of writes. */
@Module({
  imports: [OutboundModule],
  providers: [
    ReadQueue,
    {
      provide: StorageHolding,
      inject: [getConnectionToken(), settingsToken, standBy],
      useFactory: (connection: Connection, { GIT_STORAGES }: RepositorySettings, onWaiting: () => void) =>
        StorageHolding.take(connection, storageFolders(GIT_STORAGES), onWaiting),
    },
    Storages,
    WriteGate,
  ],
  exports: [ReadQueue, Storages, WriteGate],
})
export class StorageModule {}
