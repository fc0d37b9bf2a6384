import { OperationError } from '@moothall/contracts';
import type { onRequestHookHandler } from 'fastify';
import { formPairs } from './form-pairs';
import { type Fields, nestFields } from './nest-fields';

const refusals = new WeakMap<object, OperationError>();

/** Parses a query. The router, which calls it, cannot handle an exception: it is stored until the request exists. */
export function readQuery(text: string): Fields {
  if (text === '') return {};
  try {
    return nestFields(formPairs(text));
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const none: Fields = {};
    refusals.set(none, error);
    return none;
  }
}

/** Refuses a request whose query could not be parsed. */
export const refuseBrokenQuery: onRequestHookHandler = (request, _reply, done) =>
  done(refusals.get(request.query as object));
