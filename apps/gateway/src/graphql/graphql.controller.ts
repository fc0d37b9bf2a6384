import { authenticationErrors, commonErrors, OperationError } from '@moothall/contracts';
import { shareOfClient } from '@moothall/messaging';
import { Controller, Get, HttpCode, Post, Req, Res, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { graphqlPath } from '../answer/graphql-error';
import { CredentialGuard } from '../credentials/credential.guard';
import { CallerShares } from '../limits/caller-shares';
import { readJson } from '../parameters/json-text';
import { Graphql, type GraphqlRequest } from './graphql';
import { graphqlLimits } from './limits';
import { OperationRunner } from './operation-runner';

const goodScopes = ['api', 'read_api'] as const;

/** GraphQL. See docs/api/graphql.md#1. */
@Controller(graphqlPath)
@UseGuards(CredentialGuard)
export class GraphqlController {
  constructor(
    private readonly graphql: Graphql,
    private readonly operations: OperationRunner,
    private readonly shares: CallerShares,
  ) {}

  @Get()
  async get(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(request.query, request, reply);
  }

  @Post()
  @HttpCode(200)
  async post(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    await this.answer(request.body ?? request.query, request, reply);
  }

  private async answer(given: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    requireScope(request);
    const isBatch = Array.isArray(given);
    const asked = isBatch ? given.map(readAsked) : [readAsked(given)];
    if (asked.length > graphqlLimits.documents) {
      throw commonErrors.badRequest(`At most ${graphqlLimits.documents} queries may come in one request`);
    }
    const { caller } = request;
    await this.shares.enter(shareOfClient(caller, request.ip), 'graphql', reply.raw);
    const asking = this.operations.begin(request, reply);
    const answers = await this.graphql.answer(asked, caller, asking, whyReadOnly(request));
    await reply
      .header('content-type', 'application/json')
      .send(Buffer.from(JSON.stringify(isBatch ? answers : answers[0])));
  }
}

/** See docs/api/graphql.md#5. */
function whyReadOnly({ method, caller }: FastifyRequest): string | undefined {
  if (method === 'GET') return 'Mutations are forbidden in GET requests';
  return caller && !caller.scopes.includes('api') ? 'Mutations need a token with scope api' : undefined;
}

/** Job tokens and deploy tokens are not accepted. @throws authentication.insufficient_scope */
function requireScope({ caller }: FastifyRequest): void {
  if (!caller) return;
  const isUser = caller.credential !== 'job_token' && caller.credential !== 'deploy_token';
  if (isUser && caller.scopes.some((scope) => goodScopes.some((good) => good === scope))) return;
  const details = { scope: goodScopes.join(' ') };
  throw new OperationError({ code: authenticationErrors.insufficientScope.code, details });
}

/** @throws common.bad_request with the reason */
function readAsked(given: unknown): GraphqlRequest {
  const { query, variables, operationName } = (isRecord(given) ? given : {}) as Record<string, unknown>;
  if (typeof query !== 'string' || query.trim() === '') refuse('No query string was present');
  if (query.length > graphqlLimits.characters) refuse('Query too large');
  const isNamed = typeof operationName === 'string' && operationName !== '';
  return { query, variables: readVariables(variables), operationName: isNamed ? operationName : undefined };
}

/** An object, or its JSON: queries and forms have no other form. */
function readVariables(given: unknown): Record<string, unknown> {
  if (given === undefined || given === null || given === '') return {};
  const variables = typeof given === 'string' ? readJson(given) : given;
  if (!isRecord(variables)) refuse('Variables must be an object');
  return variables;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function refuse(message: string): never {
  throw commonErrors.badRequest(message);
}
