import { type Operation, type OperationContext, type Route, readsCredentials } from '@moothall/contracts';
import { OperationClient, shareOf } from '@moothall/messaging';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { checkAccess } from '../access/check-access';
import { Targets } from '../access/targets';
import { Unmodified } from '../access/unmodified';
import { sendReply } from '../answer/send-reply';
import { headerText } from '../headers/header-text';
import { CallerShares } from '../limits/caller-shares';
import { RateLimits } from '../limits/rate-limits';
import { collectParameters } from '../parameters/collect';
import { refusePlainFiles } from '../parameters/refuse-plain-files';
import { type Validator, validatorOf } from '../parameters/validate';
import { type GatewaySettings, gatewaySettingsToken } from '../settings/settings';
import { requireTier } from './require-tier';

/** The way of a request from its credential (which the guard has read) to its answer. */
@Injectable()
export class RequestPipeline {
  private readonly validators = new Map<Operation, Validator>();

  constructor(
    @Inject(gatewaySettingsToken) private readonly settings: GatewaySettings,
    private readonly operations: OperationClient,
    private readonly targets: Targets,
    private readonly limits: RateLimits,
    private readonly unmodified: Unmodified,
    private readonly shares: CallerShares,
  ) {}

  async run(operation: Operation, route: Route, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    requireTier(operation, this.settings.EDITION);
    const { upload } = request;
    if (!upload) return this.answer(operation, route, request, reply);
    upload.isInUse = true;
    try {
      await this.answer(operation, route, request, reply);
    } finally {
      await upload.release();
    }
  }

  private async answer(
    operation: Operation,
    route: Route,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<void> {
    const given = collectParameters(request, operation);
    refusePlainFiles(operation, given);
    const input = this.validatorOf(operation)(given);
    const { caller } = request;
    const target = await checkAccess(operation, caller, String(input.id), this.targets);
    await this.limits.take(operation, caller, request.ip, target.project?.id ?? target.group?.id);
    const context: OperationContext = {
      requestId: request.id,
      caller,
      client: clientOf(operation, request),
      ...target,
    };
    await this.shares.enter(shareOf(context)!, operation.name, reply.raw);
    await this.unmodified.require(operation, request, input, context);
    const answer = await this.operations.send(operation, input, context);
    await sendReply(answer, { operation, route, request, reply, input, externalUrl: this.settings.EXTERNAL_URL });
  }

  private validatorOf(operation: Operation): Validator {
    const known = this.validators.get(operation);
    if (known) return known;
    const made = validatorOf(operation);
    this.validators.set(operation, made);
    return made;
  }
}

function clientOf(operation: Operation, request: FastifyRequest): OperationContext['client'] {
  const { cookie, authorization } = request.headers;
  const userAgent = headerText(request.headers['user-agent']) ?? '';
  return { ip: request.ip, userAgent, ...(readsCredentials(operation) && { cookie, authorization }) };
}
