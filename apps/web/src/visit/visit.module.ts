import { OperationChecks, ResourceResolver, Validators } from '@moothall/access';
import { OperationClient, RecordsClient, servesCopies } from '@moothall/messaging';
import { settingsToken } from '@moothall/service';
import { Module } from '@nestjs/common';
import { Highlighter } from '../highlight/highlighter';
import type { WebSettings } from '../settings/settings';
import { FollowResources } from './follow-resources';
import { Visits } from './visits';

/** Who requests a page, and what they may call. */
@Module({
  providers: [
    FollowResources,
    Highlighter,
    Validators,
    Visits,
    {
      provide: ResourceResolver,
      inject: [OperationClient, settingsToken],
      useFactory: (client: OperationClient, settings: WebSettings) =>
        new ResourceResolver(new RecordsClient(client, servesCopies(settings))),
    },
    {
      provide: OperationChecks,
      inject: [settingsToken, Validators, ResourceResolver],
      useFactory: ({ EDITION }: WebSettings, validators: Validators, resources: ResourceResolver) =>
        new OperationChecks(EDITION, validators, resources),
    },
  ],
  exports: [Visits],
})
export class VisitModule {}
