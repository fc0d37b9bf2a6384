import { commonErrors } from '@moothall/contracts';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Throttles } from '../limits/throttles';
import { Callers, mayAsk } from './callers';

/** Runs before parameters are checked: a caller who may not call at all gets no details about parameters. */
@Injectable()
export class CredentialGuard implements CanActivate {
  constructor(
    private readonly callers: Callers,
    private readonly throttles: Throttles,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const { operation } = request.routeOptions.config;
    const reply = http.getResponse<FastifyReply>();
    await this.callers.identify(request, reply, operation);
    await this.throttles.take(request, reply);
    if (!mayAsk(operation, request)) throw commonErrors.unauthorized();
    return true;
  }
}
