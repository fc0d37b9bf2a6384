import { commonErrors } from '@moothall/contracts';
import type { onRequestHookHandler } from 'fastify';

/**
 * A request must have one Host header: with two, a proxy and the server behind it might use different ones. Source: RFC
 * 9112 3.2.
 */
export const requireOneHost: onRequestHookHandler = ({ raw }, _reply, done) => {
  let hosts = 0;
  for (let at = 0; at < raw.rawHeaders.length; at += 2) {
    const name = raw.rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  const isOne = hosts === 1 || (hosts === 0 && raw.httpVersion === '1.0');
  done(isOne ? undefined : commonErrors.badRequest());
};
