import { getVersion } from '@moothall/contracts';
import { natsConnection, OperationClient } from '@moothall/messaging';
import { MetricsPort } from '@moothall/processes';
import { Controller, Get, Inject, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { NatsConnection } from 'nats';
import { GatewayMetrics } from './metrics';

/** Endpoints for operators and orchestrators. */
@Controller('/-')
export class HealthController {
  constructor(
    @Inject(natsConnection) private readonly nats: NatsConnection,
    private readonly operations: OperationClient,
    metrics: GatewayMetrics,
    port: MetricsPort,
  ) {
    // Internal details are not public.
    port
      .show('/-/metrics', () => metrics.shown())
      .show('/-/health', async () => ({ contentType: 'application/json', body: JSON.stringify(await this.checks()) }));
  }

  /** The process runs. */
  @Get('liveness')
  liveness(): { status: string } {
    return { status: 'ok' };
  }

  /** Requests can be answered: NATS is connected, and identity, which every request needs, answers. */
  @Get('readiness')
  async readiness(@Res() reply: FastifyReply): Promise<void> {
    const isReady = Object.values(await this.checks()).every(Boolean);
    reply.code(isReady ? 200 : 503).send({ status: isReady ? 'ok' : 'failed' });
  }

  private async checks(): Promise<Record<string, boolean>> {
    const [nats, identity] = await Promise.all([this.reachesNats(), this.reachesIdentity()]);
    return { nats, identity };
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
