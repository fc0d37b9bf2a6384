import { checkAccess, ResourceResolver, requireTier } from '@moothall/access';
import { type OperationContext, present } from '@moothall/contracts';
import { type CanActivate, type ExecutionContext, Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { InputReader } from '../parameters/input-reader';
import { type GatewaySettings, gatewaySettingsToken } from '../settings/settings';

declare module 'fastify' {
  interface FastifyRequest {
    /** The input of the operation, once the guard has accepted the request. */
    input?: Record<string, unknown>;
    /** The project or group of the operation. */
    target?: Pick<OperationContext, 'project' | 'group'>;
  }
}

/**
 * Checks the caller, found by the credential guard, against the access rule in the operation's contract. Nest runs
 * guards before pipes, but v4 reports invalid parameters before missing permissions: so parameters are read here. See
 * docs/api/requests.md#4.
 */
@Injectable()
export class AccessGuard implements CanActivate {
  constructor(
    @Inject(gatewaySettingsToken) private readonly settings: GatewaySettings,
    private readonly inputs: InputReader,
    private readonly resources: ResourceResolver,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const operation = present(request.routeOptions.config.operation, 'the operation of a route');
    requireTier(operation, this.settings.EDITION);
    request.input = this.inputs.read(operation, request);
    request.target = await checkAccess(operation, request.caller, String(request.input.id), this.resources);
    return true;
  }
}
