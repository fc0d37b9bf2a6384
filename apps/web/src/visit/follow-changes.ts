import { BrowserUsers, invalidateCaches, ResourceResolver } from '@moothall/access';
import { natsConnection } from '@moothall/messaging';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { NatsConnection } from 'nats';

/** Invalidates the caches by events, and empties them after a gap in the connection. */
@Injectable()
export class FollowChanges implements OnApplicationShutdown {
  private readonly stop: () => void;

  constructor(@Inject(natsConnection) connection: NatsConnection, browsers: BrowserUsers, resources: ResourceResolver) {
    this.stop = invalidateCaches(connection, [browsers, resources]);
  }

  onApplicationShutdown(): void {
    this.stop();
  }
}
