import { credentialParameters } from '@moothall/access';
import type { Operation } from '@moothall/contracts';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { headerText } from '../headers/header-text';

export type CredentialStrategy = 'bearer' | 'private-token' | 'job-token' | 'deploy-token' | 'basic';

function parameter(request: FastifyRequest, name: string): string | undefined {
  const body = request.body as Record<string, unknown> | null | undefined;
  const value = body?.[name] ?? (request.query as Record<string, unknown>)?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** Whether the body, as far as it is read, has a credential. */
export function namesCallerInBody({ body }: FastifyRequest): boolean {
  if (typeof body !== 'object' || body === null) return false;
  return [...credentialParameters].some((name) => Boolean((body as Record<string, unknown>)[name]));
}

/** A non-empty parameter wins over the header. */
export function privateTokenOf(request: FastifyRequest): string | undefined {
  const header = request.headers['private-token'];
  return parameter(request, 'private_token') ?? (typeof header === 'string' ? header : undefined);
}

export function jobTokenOf(request: FastifyRequest): string | undefined {
  return parameter(request, 'job_token') ?? (headerText(request.headers['job-token']) || undefined);
}

export function deployTokenOf(request: FastifyRequest): string | undefined {
  return headerText(request.headers['deploy-token']) || undefined;
}

/** Whether an operation is for job tokens, and reads them itself. */
export function readsJobToken({ input }: Operation): boolean {
  const fields = input instanceof z.ZodObject ? Object.values(input.shape) : [];
  return fields.some((field) => (field as z.ZodType).meta()?.header === 'JOB-TOKEN');
}

/**
 * The kind of credential of a request. The first kind present decides; a wrong one is refused, without trying the next
 * kind or anonymous access. See docs/api/requests.md#1.
 */
export function presentCredential(request: FastifyRequest): CredentialStrategy | undefined {
  const authorization = request.headers.authorization?.toLowerCase();
  if (authorization?.startsWith('bearer ') || parameter(request, 'access_token')) return 'bearer';
  if (privateTokenOf(request)) return 'private-token';
  if (jobTokenOf(request)) return 'job-token';
  if (deployTokenOf(request)) return 'deploy-token';
  if (authorization?.startsWith('basic ')) return 'basic';
  return undefined;
}

/** The user that an administrator wants to act as. See docs/api/requests.md#3. */
export function sudoOf(request: FastifyRequest): string | undefined {
  return parameter(request, 'sudo') ?? (headerText(request.headers.sudo) || undefined);
}
