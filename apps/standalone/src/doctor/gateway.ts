import { once } from 'node:events';
import { connect } from 'node:tls';
import { type Check, fault, fine, warning } from './finding';
import type { Installation } from './installation';

const day = 24 * 60 * 60 * 1000;
const renewWithinDays = 14;

/** Checks of the addresses for clients. */
export const gatewayChecks = ({ url, registryUrl }: Installation): Check[] => [
  ...(url === undefined
    ? []
    : [
        { about: 'gateway', look: async () => [await readiness(url)] },
        ...(url.startsWith('https:') ? [{ about: 'certificate', look: async () => [await certificate(url)] }] : []),
      ]),
  ...(registryUrl === undefined ? [] : [{ about: 'registry', look: async () => [await registry(registryUrl)] }]),
];

async function readiness(url: string) {
  const startedAt = performance.now();
  const { ok, status } = await fetch(`${url}/-/readiness`);
  const ms = Math.round(performance.now() - startedAt);
  if (ok) return fine(`${url} answers requests, in ${ms} ms.`);
  return fault(`${url} answers ${status}: a gateway is there, and what it needs is not (NATS or identity).`);
}

async function registry(url: string) {
  const { status } = await fetch(`${url}/v2/`);
  // The registry asks for a token.
  return status === 401 ? fine(`${url} answers.`) : fault(`${url} answers ${status}.`);
}

async function certificate(url: string) {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port || 443), servername: hostname });
  const until = await once(socket, 'secureConnect')
    .then(() => new Date(socket.getPeerCertificate().valid_to))
    .finally(() => socket.destroy());
  const days = Math.floor((until.getTime() - Date.now()) / day);
  const says = `The certificate of ${hostname} is valid for ${days} more days`;
  return days < renewWithinDays ? warning(`${says}: renew it.`) : fine(`${says}.`);
}
