import type { FastifyRequest } from 'fastify';
import type { ErrorAnswer } from './error-body';

export const graphqlPath = '/api/graphql';

/** Whether the client expects GraphQL errors in any case. */
export const speaksGraphql = ({ routeOptions }: FastifyRequest): boolean => routeOptions?.url === graphqlPath;

/** The same refusal in GraphQL form. See docs/api/graphql.md#4. */
export function asGraphqlError({ status, body }: ErrorAnswer): ErrorAnswer {
  return { status, body: { errors: [{ message: wordsIn(body) }] } };
}

/** A refusal of the API in one sentence. */
export function wordsIn(body: ErrorAnswer['body']): string {
  const said = body.message ?? body.error_description ?? body.error;
  return typeof said === 'string' ? said : JSON.stringify(said);
}
