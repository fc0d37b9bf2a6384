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
import { type CanActivate, Injectable } from '@nestjs/common';
import { ExecutionContextHost } from '@nestjs/core/helpers/execution-context-host';
import { AuthGuard } from '@nestjs/passport';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Throttles } from '../limits/throttles';
import { Authenticator } from './authenticator';
import { BrowserSession, byCookie, isFileOfPages } from './browser-session';
import {
  type CredentialStrategy,
  namesCallerInBody,
  presentCredential,
  readsJobToken,
  sudoOf,
} from './present-credential';
import { requireScope, requireSudoScope } from './scopes';

declare module 'fastify' {
  interface FastifyRequest {
    /** Set for requests with a credential. */
    caller?: Caller | undefined;
    /** Whether the credential has been looked for everywhere except in the body. */
    isIdentified?: boolean;
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
  'deploy-token': guardOf('deploy-token'),
  basic: guardOf('basic'),
};

/** The caller, and whether its token is valid for the operation. */
@Injectable()
export class Callers {
  constructor(
    private readonly authenticator: Authenticator,
    private readonly throttles: Throttles,
    private readonly browser: BrowserSession,
  ) {}

  /**
   * Sets the caller of a request from the part read so far: before its body, and again if the credential is in the
   * body.
   * @throws 401, 403; nothing if there is no credential yet
   */
  async identify(request: FastifyRequest, reply: FastifyReply, operation: Operation | undefined): Promise<void> {
    if (operation && findsCallerItself(operation)) return;
    if (request.isIdentified && !namesCallerInBody(request)) return;
    request.isIdentified = true;
    const strategy = presentCredential(request);
    if (strategy && !(strategy === 'job-token' && operation && readsJobToken(operation))) {
      try {
        await guards[strategy].canActivate(new ExecutionContextHost([request, reply]));
      } catch (error) {
        // A caller with a wrong credential counts as anonymous.
        await this.throttles.take(request, reply);
        throw error;
      }
    }
    if (!strategy && operation && isFileOfPages(operation, request)) {
      reply.headers(byCookie);
      request.caller = await this.browser.callerOf(request);
      return;
    }
    if (!request.caller) return;
    if (operation) requireScope(operation, request.method, request.caller);
    request.caller = await this.actingAs(request, request.caller);
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

/** Pages, endpoints where OAuth clients sign in, and operations with tokens of their own. */
const findsCallerItself = (operation: Operation): boolean => readsCredentials(operation) || readsOwnToken(operation);

const readsOwnToken = ({ access }: Operation): boolean => access.on === 'anyone' && access.readsOwnToken === true;

/** Whether a caller without a known credential may call an operation. */
export function mayAsk(operation: Operation | undefined, request: FastifyRequest): boolean {
  if (request.caller || (operation && findsCallerItself(operation))) return true;
  const rule = operation?.access;
  const isOpen = !rule || rule.on === 'anyone' || ('anonymous' in rule && rule.anonymous === true);
  return isOpen && sudoOf(request) === undefined;
}
