import { ResourceResolver } from '@moothall/access';
import { listen, natsConnection } from '@moothall/messaging';
import { Inject, Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { NatsConnection } from 'nats';

/** Keeps the cached projects and groups up to date by events, and empties the cache after a gap in the connection. */
@Injectable()
export class FollowResources implements OnApplicationShutdown {
  private readonly stop: () => void;

  constructor(@Inject(natsConnection) connection: NatsConnection, resources: ResourceResolver) {
    this.stop = listen(
      connection,
      ['identity.>', 'projects.>'],
      (event) => resources.onEvent(event),
      () => resources.forgetAll(),
    );
  }

  onApplicationShutdown(): void {
    this.stop();
  }
}
