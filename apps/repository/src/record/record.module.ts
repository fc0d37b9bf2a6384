import { OperationClient, RecordsClient, servesCopies } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Module } from '@nestjs/common';
import { MongooseModule } from '@nestjs/mongoose';
import type { RepositorySettings } from '../settings/settings';
import { Repositories } from './repository.repository';
import { repositorySchema } from './repository.schema';

/** Data about repositories that git does not store. */
@Module({
  imports: [MongooseModule.forFeature([{ name: 'Repository', schema: repositorySchema }])],
  providers: [
    {
      provide: RecordsClient,
      inject: [OperationClient, settingsToken],
      useFactory: (client: OperationClient, settings: RepositorySettings) =>
        new RecordsClient(client, servesCopies(settings)),
    },
    Repositories,
  ],
  exports: [RecordsClient, Repositories],
})
export class RecordModule {}
