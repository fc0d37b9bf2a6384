import {
  type Caller,
  commonErrors,
  forbidden,
  isError,
  namedNotFound,
  type Operation,
  OperationError,
  readsCredentials,
  userErrors,
} from '@moothall/contracts';
import { type CanActivate, type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyRequest } from 'fastify';
import { Authenticator } from './authenticator';
import { type CredentialStrategy, presentCredential, readsJobToken, sudoOf } from './present-credential';
import { requireScope, requireSudoScope } from './scopes';

/** Metadata key under which a generated route keeps its operation. */
export const operationOfRoute = Symbol('operation');

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by the guard for requests with a credential. */
    caller?: Caller;
  }
}

const guardOf = (strategy: CredentialStrategy): CanActivate => {
  class StrategyGuard extends AuthGuard(strategy) {
    override handleRequest<T>(error: unknown, caller: T, _info: unknown, _context: unknown, status?: number): T {
      if (error instanceof OperationError) throw error;
      // The same token in two ways. Source: RFC 6750 3.1.
      if (status === 400) throw commonErrors.badRequest();
      if (error) throw commonErrors.unauthorized();
      if (!caller) throw commonErrors.unauthorized();
      return caller;
    }
  }
  return new StrategyGuard({ property: 'caller' });
};

const guards: Record<CredentialStrategy, CanActivate> = {
  bearer: guardOf('bearer'),
  'private-token': guardOf('private-token'),
  'job-token': guardOf('job-token'),
  basic: guardOf('basic'),
};

/** Finds out who calls, through Passport, and whether their token is good for the operation. */
@Injectable()
export class CredentialGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly authenticator: Authenticator,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const operation = this.reflector.get<Operation | undefined>(operationOfRoute, context.getHandler());
    if (operation && (readsCredentials(operation) || readsOwnToken(operation))) return true;
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const strategy = presentCredential(request);
    if (strategy && !(strategy === 'job-token' && operation && readsJobToken(operation))) {
      await guards[strategy].canActivate(context);
    }
    if (!request.caller) return refuseAnonymous(operation, request);
    if (operation) requireScope(operation, request.method, request.caller);
    request.caller = await this.actingAs(request, request.caller);
    return true;
  }

  private async actingAs(request: FastifyRequest, caller: Caller): Promise<Caller> {
    const user = sudoOf(request);
    if (user === undefined) return caller;
    if (!caller.isAdmin) throw forbidden('Must be admin to use sudo');
    requireSudoScope(caller);
    return this.authenticator.sudo(caller, user).catch((error: unknown) => {
      throw isError(error, userErrors.notFound) ? namedNotFound(`User with ID or username '${user}'`) : error;
    });
  }
}

const readsOwnToken = ({ access }: Operation): boolean => access.on === 'anyone' && access.readsOwnToken === true;

/** Runs before parameters are looked at: who may not ask at all is not told what is wrong with the question. */
function refuseAnonymous(operation: Operation | undefined, request: FastifyRequest): boolean {
  const rule = operation?.access;
  const isOpen = !rule || rule.on === 'anyone' || ('anonymous' in rule && rule.anonymous);
  if (!isOpen || sudoOf(request) !== undefined) throw commonErrors.unauthorized();
  return true;
}
