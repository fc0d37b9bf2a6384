import {
  authenticateToken,
  type Caller,
  commonErrors,
  defaultPlanLimits,
  type EventContract,
  type EventInput,
  type GroupRef,
  groupErrors,
  type ProjectRef,
  projectErrors,
  readPlanLimits,
  resolveGroup,
  resolveProject,
} from '@moothall/contracts';
import { newEvent } from '@moothall/database';
import { startTestInfrastructure } from '@moothall/infrastructure';
import { connectNats, EventPublisher, ensureEventStream } from '@moothall/messaging';
import { sha256 } from '@moothall/secrets';
import { StubServices, ticketKey } from '@moothall/testing';
import { type FormData, Pool, request } from 'undici';
import { startGateway } from '../src';

interface GraphqlRequest {
  method: string;
  token?: string | undefined;
  headers?: Record<string, string>;
  body?: string | FormData;
}

/** The real gateway on real NATS and Redis, with stubs for identity and projects. */
export async function startGatewayUnderTest(settings: Record<string, string> = {}) {
  const infrastructure = await startTestInfrastructure();
  const connection = await connectNats(infrastructure.natsUrl, 'test');
  await ensureEventStream(await connection.jetstreamManager());
  const stubs = new StubServices(connection);
  const callers = new Map<string, Caller>();
  const projects = new Map<string, ProjectRef>();
  const groups = new Map<string, GroupRef>();
  let lookups = 0;
  let resolutions = 0;
  stubs.respond(authenticateToken, ({ token_sha256 }) => {
    lookups++;
    const caller = callers.get(token_sha256);
    return caller ? { caller, expires_at: null } : commonErrors.unauthorized();
  });
  stubs.respond(readPlanLimits, () => defaultPlanLimits);
  stubs.respond(resolveProject, ({ project }) => {
    resolutions++;
    const known = projects.get(project);
    return known ? { project: known, redirected: false } : projectErrors.notFound();
  });
  stubs.respond(resolveGroup, ({ group }) => {
    resolutions++;
    const known = groups.get(group);
    return known ? { group: known, redirected: false } : groupErrors.notFound();
  });
  const gateway = await startGateway({
    PORT: '0',
    HOST: '127.0.0.1',
    EXTERNAL_URL: 'http://moothall.test',
    NATS_URL: infrastructure.natsUrl,
    REDIS_URL: infrastructure.redisUrl,
    TICKET_KEY: ticketKey,
    LOG_LEVEL: 'fatal',
    ...settings,
  });
  const url = `http://127.0.0.1:${gateway.port}`;
  const connections = new Pool(url);
  return {
    url,
    metricsUrl: `http://127.0.0.1:${gateway.metricsPort}`,
    stubs,
    connection,
    lookups: () => lookups,
    /** Number of look-ups of a path for a caller. */
    resolutions: () => resolutions,
    knowCaller: (token: string, caller: Caller) => callers.set(sha256(token), caller),
    knowProject: (project: ProjectRef) =>
      [String(project.id), project.fullPath].map((ref) => projects.set(ref, project)),
    knowGroup: (group: GroupRef) => [String(group.id), group.fullPath].map((ref) => groups.set(ref, group)),
    emit: <E extends EventContract>(contract: E, data: EventInput<E>) =>
      new EventPublisher(connection).publish(newEvent(contract, data)),
    /** Resolves when every cache knows the current answers. */
    async fetch(path: string, init: RequestInit & { token?: string } = {}) {
      await stubs.received();
      return fetch(`${url}${path}`, {
        ...init,
        headers: { ...(init.token && { 'private-token': init.token }), ...(init.headers as Record<string, string>) },
      });
    },
    /** Like `fetch`, for tests with thousands of requests: it needs less processor time, and follows no redirects. */
    async ask(path: string, { token, headers, ...asked }: GraphqlRequest) {
      await stubs.received();
      const answer = await request(`${url}${path}`, {
        dispatcher: connections,
        ...(asked as { method: 'GET'; body?: string }),
        headers: { ...(token && { 'private-token': token }), ...headers },
      });
      return { status: answer.statusCode, headers: answer.headers, body: await answer.body.text() };
    },
    async stop() {
      await connections.close();
      await gateway.stop();
      await connection.close();
      await infrastructure.stop();
    },
  };
}

export type GatewayUnderTest = Awaited<ReturnType<typeof startGatewayUnderTest>>;
