import { BrowserUsers, ResourceResolver } from '@moothall/access';
import { listen, natsConnection } from '@moothall/messaging';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { NatsConnection } from 'nats';

/** Keeps the caches up to date by events, and empties them after a gap in the connection. */
@Injectable()
export class FollowChanges implements OnApplicationShutdown {
  private readonly stop: () => void;

  constructor(@Inject(natsConnection) connection: NatsConnection, browsers: BrowserUsers, resources: ResourceResolver) {
    const caches = [browsers, resources];
    this.stop = listen(
      connection,
      ['identity.>', 'projects.>'],
      (event) => {
        for (const cache of caches) cache.onEvent(event);
      },
      () => {
        for (const cache of caches) cache.forgetAll();
      },
    );
  }

  onApplicationShutdown(): void {
    this.stop();
  }
}
