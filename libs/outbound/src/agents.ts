import http from 'node:http';
import https from 'node:https';
import type { Duplex } from 'node:stream';
import tls from 'node:tls';
import { connectOutbound } from './connect';
import type { OutboundPolicy } from './policy';

type Policy = () => Promise<OutboundPolicy>;
type Created = (error: Error | null, stream: Duplex) => void;

/** Host and port as http and https hand them to their agents. */
interface Target {
  host?: string | null;
  port?: number;
}

class PlainAgent extends http.Agent {
  constructor(private readonly policy: Policy) {
    super({ keepAlive: false });
  }

  override createConnection(options: object, created: Created): undefined {
    const { host, port } = options as Target;
    this.policy()
      .then((policy) => connectOutbound(policy, host ?? 'localhost', port ?? 80))
      .then(
        (socket) => created(null, socket),
        (error) => created(error, undefined as never),
      );
  }
}

class SecureAgent extends https.Agent {
  constructor(private readonly policy: Policy) {
    super({ keepAlive: false });
  }

  override createConnection(options: object, created: Created): undefined {
    const target = options as Target;
    this.policy()
      .then((policy) => connectOutbound(policy, target.host ?? 'localhost', target.port ?? 443))
      .then(
        // The certificate is that of the name, whatever address it led to.
        (socket) => created(null, tls.connect({ ...target, socket, host: undefined, port: undefined } as never)),
        (error) => created(error, undefined as never),
      );
  }
}

/**
 * Agents for `http.request` and `https.request`: a request fails with OutboundBlocked before a byte is sent where the
 * policy forbids its address. Redirects are requests of their own, and so are checked, too.
 */
export const outboundAgents = (policy: Policy): { http: http.Agent; https: https.Agent } => ({
  http: new PlainAgent(policy),
  https: new SecureAgent(policy),
});
