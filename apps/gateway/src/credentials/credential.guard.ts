import { commonErrors } from '@moothall/contracts';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Callers, mayAsk } from './callers';

/** Runs before parameters are looked at: who may not ask at all is not told what is wrong with the question. */
@Injectable()
export class CredentialGuard implements CanActivate {
  constructor(private readonly callers: Callers) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const { operation } = request.routeOptions.config;
    await this.callers.identify(request, http.getResponse<FastifyReply>(), operation);
    if (!mayAsk(operation, request)) throw commonErrors.unauthorized();
    return true;
  }
}
