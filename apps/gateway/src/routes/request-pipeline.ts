import { RateLimits } from '@moothall/access';
import { type Operation, type OperationContext, type Route, readsCredentials } from '@moothall/contracts';
import { natsConnection, OperationClient, publishAbandoned, shareOfClient } from '@moothall/messaging';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { NatsConnection } from 'nats';
import { Unmodified } from '../access/unmodified';
import { sendReply } from '../answer/send-reply';
import { headerText } from '../headers/header-text';
import { CallerShares } from '../limits/caller-shares';
import { Copies } from '../secondary/copies';
import { Primary } from '../secondary/primary';
import { type GatewaySettings, gatewaySettingsToken } from '../settings/settings';

/** The way of a request from its guards, which have read credential, parameters and access, to its response. */
@Injectable()
export class RequestPipeline {
  constructor(
    @Inject(gatewaySettingsToken) private readonly settings: GatewaySettings,
    @Inject(natsConnection) private readonly connection: NatsConnection,
    private readonly operations: OperationClient,
    private readonly limits: RateLimits,
    private readonly unmodified: Unmodified,
    private readonly shares: CallerShares,
    private readonly copies: Copies,
    private readonly primary: Primary,
  ) {}

  async run(operation: Operation, route: Route, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { upload } = request;
    const answer = () => this.answer(operation, route, request, reply);
    await (upload ? upload.use(answer) : answer());
  }

  private async answer(
    operation: Operation,
    route: Route,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const { caller, input = {} } = request;
    const target = await this.targetOf(operation, request);
    if (!target) return this.primary.forward(request, reply);
    await this.limits.take(operation, caller, request.ip, target.project?.id ?? target.group?.id);
    const context: OperationContext = {
      requestId: request.id,
      caller,
      client: clientOf(operation, request),
      ...target,
    };
    await this.shares.enter(shareOfClient(caller, request.ip), operation.name, reply.raw);
    await this.unmodified.require(operation, request, input, context);
    if (operation.endsWithClient) this.endWithClient(request, reply);
    const answer = await this.operations.send(operation, input, context);
    await sendReply(answer, { operation, route, request, reply, input, externalUrl: this.settings.EXTERNAL_URL });
  }

  /** The target on this site; undefined if only the primary has it. */
  private async targetOf(operation: Operation, { target = {}, input = {} }: FastifyRequest) {
    if (!target.project || !this.copies.answer(operation)) return target;
    const project = await this.copies.findFor(operation, target.project, input);
    return project && { ...target, project };
  }

  private endWithClient({ id }: FastifyRequest, { raw }: FastifyReply): void {
    raw.once('close', () => {
      if (!raw.writableEnded) publishAbandoned(this.connection, id);
    });
  }
}

function clientOf(operation: Operation, request: FastifyRequest): OperationContext['client'] {
  const { cookie, authorization } = request.headers;
  const userAgent = headerText(request.headers['user-agent']) ?? '';
  return { ip: request.ip, userAgent, ...(readsCredentials(operation) && { cookie, authorization }) };
}
