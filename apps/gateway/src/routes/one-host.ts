import { commonErrors } from '@moothall/contracts';
import type { onRequestHookHandler } from 'fastify';

/**
 * A request names its host once: of two, a proxy in front might read the one and a program behind the other.
 * Source: RFC 9112 3.2.
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
