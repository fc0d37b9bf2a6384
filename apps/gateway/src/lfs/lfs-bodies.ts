import {
  firstProblem,
  lfsErrors,
  lfsLockPath,
  lfsOid,
  lfsSize,
  mostLfsLocksPerPage,
  mostLfsObjects,
} from '@moothall/contracts';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { readJson } from '../parameters/json-text';

const object = z.object({ oid: lfsOid, size: lfsSize });

export const batchBody = z.object({
  operation: z.enum(['upload', 'download']),
  objects: z.array(object).max(mostLfsObjects),
  hash_algo: z.string().optional(),
});
export const verifyBody = object;
export const lockBody = z.object({ path: lfsLockPath });
export const unlockBody = z.object({ force: z.boolean().default(false) });

/** An empty value instead of a number counts as absent. */
const none = (value: unknown) => (value === '' || value === null || value === 0 ? undefined : value);
const number = z.preprocess(none, z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER).optional());
const walk = {
  cursor: number,
  limit: number.transform((limit = mostLfsLocksPerPage) => Math.min(limit, mostLfsLocksPerPage)),
};
export const verifyLocksBody = z.object(walk);
export const locksQuery = z.object({ ...walk, path: lfsLockPath.optional(), id: number });

/** @throws lfs.malformed */
export function readLfsBody<T extends z.ZodType>(schema: T, { body }: FastifyRequest): z.output<T> {
  return checked(schema, body instanceof Buffer ? parsed(body) : {});
}

/** @throws lfs.malformed */
export function readLfsQuery<T extends z.ZodType>(schema: T, { query }: FastifyRequest): z.output<T> {
  return checked(schema, query);
}

function parsed(body: Buffer): unknown {
  try {
    return readJson(body.toString());
  } catch {
    throw lfsErrors.malformed();
  }
}

function checked<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const { data, error } = schema.safeParse(value);
  if (!error) return data;
  throw lfsErrors.malformed(`The request is not one of git-lfs: ${firstProblem(error)}.`);
}
