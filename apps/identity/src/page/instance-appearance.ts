import { type Appearance, appearanceChanged, readAppearance } from '@moothall/contracts';
import { listen, natsConnection, OperationClient } from '@moothall/messaging';
import { Inject, Injectable, Logger, type OnApplicationShutdown } from '@nestjs/common';
import type { NatsConnection } from 'nats';

/** How the instance presents itself to those who sign in. Kept until it changes. */
@Injectable()
export class InstanceAppearance implements OnApplicationShutdown {
  private readonly log = new Logger(InstanceAppearance.name);
  private readonly stopListening: () => void;
  private known?: Promise<Appearance | undefined>;

  constructor(
    private readonly client: OperationClient,
    @Inject(natsConnection) connection: NatsConnection,
  ) {
    this.stopListening = listen(connection, [appearanceChanged.name], () => {
      this.known = undefined;
    });
  }

  /** Undefined while nobody can tell: a page is no worse without. */
  async read(): Promise<Appearance | undefined> {
    this.known ??= this.client.call(readAppearance, {}).catch((error: unknown) => {
      this.known = undefined;
      this.log.warn(`no appearance: ${error}`);
      return undefined;
    });
    return this.known;
  }

  onApplicationShutdown(): void {
    this.stopListening();
  }
}
