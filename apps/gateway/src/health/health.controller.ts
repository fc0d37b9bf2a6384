import { getVersion } from '@moothall/contracts';
import { natsConnection, OperationClient } from '@moothall/messaging';
import { Controller, Get, Header, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { NatsConnection } from 'nats';
import { GatewayMetrics } from './metrics';

/** What operators and orchestrators ask. */
@Controller('/-')
export class HealthController {
  constructor(
    @Inject(natsConnection) private readonly nats: NatsConnection,
    private readonly operations: OperationClient,
    private readonly metrics: GatewayMetrics,
  ) {}

  /** The process runs. */
  @Get('liveness')
  liveness(): { status: string } {
    return { status: 'ok' };
  }

  /** Requests can be answered: NATS is there and identity, which every request needs, replies. */
  @Get('readiness')
  async readiness(@Res() reply: FastifyReply): Promise<void> {
    const checks = { nats: await this.reachesNats(), identity: await this.reachesIdentity() };
    const isReady = Object.values(checks).every(Boolean);
    reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'failed', ...checks });
  }

  @Get('health')
  @Header('content-type', 'text/plain')
  health(): string {
    return 'Moothall OK';
  }

  @Get('metrics')
  async scrape(@Res() reply: FastifyReply): Promise<void> {
    reply.type(this.metrics.registry.contentType).send(await this.metrics.registry.metrics());
  }

  private reachesNats(): Promise<boolean> {
    return this.nats.flush().then(
      () => true,
      () => false,
    );
  }

  private reachesIdentity(): Promise<boolean> {
    return this.operations.call(getVersion, {}).then(
      () => true,
      () => false,
    );
  }
}
