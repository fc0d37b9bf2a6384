import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import { rateLimitSettings } from '@moothall/access';
import { readEnv } from '@moothall/config';
import { DataPort } from '@moothall/data-port';
import { createLogger, JsonLogger } from '@moothall/logging';
import { connectNats, LargeMessageStore, securityOf } from '@moothall/messaging';
import { MetricsPort } from '@moothall/processes';
import { followsForNothing, openTracer, requestOfLine } from '@moothall/tracing';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ErrorFilter } from './answer/error.filter';
import { prepareGracefulClose } from './answer/graceful-close';
import { giveUpIdleAnswers } from './answer/idle-answers';
import { ResourcePages } from './answer/resource-pages';
import { answerUnreadableRequest, maxHeaderBytes } from './answer/unreadable-request';
import { escapeFactor, registerBodyParsers } from './bodies/body-parsers';
import { takeBodies } from './bodies/take-bodies';
import { gatewayModule } from './gateway.module';
import { GatewayMetrics } from './health/metrics';
import { isLfsRequest } from './lfs/lfs-request';
import { readQuery, refuseBrokenQuery } from './parameters/query';
import { holdRequests, RequestGate } from './reset/request-gate';
import { chooseByParameters } from './routes/choices';
import { openToOtherOrigins } from './routes/cross-origin';
import { followRequests } from './routes/follow-requests';
import { refuseFormerInterface, refuseKnownPaths } from './routes/no-route';
import { requireOneHost } from './routes/one-host';
import { readableUrl } from './routes/readable-url';
import { Primary } from './secondary/primary';
import { serveAsSecondary } from './secondary/serve-secondary';
import { type GatewaySettings, gatewaySettings } from './settings/settings';

// A file path of 4,096 bytes, each percent-encoded.
const maxParamLength = 12_288;

export interface RunningGateway {
  app: NestFastifyApplication;
  port: number;
  /** Port of metrics and health. */
  metricsPort: number;
  /** Pauses requests. Resolves when the running ones have ended. */
  hold(): Promise<void>;
  release(): void;
  /** Accepts no new requests, completes running ones, then closes its connections. */
  stop(): Promise<void>;
}

/** @param env by default that of the process. @throws SettingsError; EADDRINUSE */
export async function startGateway(env: Record<string, string | undefined> = process.env): Promise<RunningGateway> {
  const settings = readEnv(gatewaySettings, env);
  const rateLimits = readEnv(rateLimitSettings, env);
  const logger = new JsonLogger(createLogger('gateway', settings.LOG_LEVEL, requestOfLine));
  const connection = await connectNats(settings.NATS_URL, 'gateway', securityOf(settings));
  const log = new Logger('gateway inside');
  const dataPort = new DataPort(
    {
      host: settings.DATA_PORT_HOST,
      port: settings.DATA_PORT,
      advertisedHost: settings.DATA_PORT_ADVERTISED_HOST,
      signingKey: settings.TICKET_KEY,
      acceptedKey: settings.TICKET_KEY_ACCEPTED,
    },
    (error) => log.error(error),
  );
  const largeMessages = new LargeMessageStore(dataPort);
  await dataPort.listen();
  const metrics = new MetricsPort((error) => log.error(error));
  const errors = new ErrorFilter();
  const http = adapter(settings, errors);
  chooseByParameters(http.getInstance() as unknown as FastifyInstance);
  const app = await NestFactory.create<NestFastifyApplication>(
    gatewayModule({ settings, rateLimits, connection, dataPort, metricsPort: metrics, largeMessages }),
    http,
    { logger, bodyParser: false },
  );
  app.useGlobalFilters(errors);
  errors.pages = app.get(ResourcePages);
  const fastify = app.getHttpAdapter().getInstance() as unknown as FastifyInstance;
  await registerBodyParsers(fastify, settings.MAX_BODY);
  const tracer = openTracer('gateway', settings, (count) =>
    app.get(GatewayMetrics).spansLost.inc({ service: 'gateway' }, count),
  );
  if (tracer || (settings.FOLLOW_REQUESTS ?? followsForNothing)) followRequests(fastify, tracer);
  addCommonHeaders(fastify, app.get(GatewayMetrics));
  takeBodies(fastify, app, errors, settings);
  refuseKnownPaths(fastify, errors);
  serveAsSecondary(fastify, app.get(Primary), errors, isLfsRequest);
  giveUpIdleAnswers(fastify.server, settings.ANSWER_LEAST_RATE, settings.ANSWER_IDLE_TIMEOUT * 1000);
  refuseFormerInterface(fastify, errors);
  const gate = app.get(RequestGate);
  holdRequests(fastify, gate);
  const closeGracefully = prepareGracefulClose(fastify);
  const metricsPort = await metrics.listen(settings.METRICS_PORT, settings.METRICS_HOST);
  await app.listen(settings.PORT, settings.HOST);
  return {
    app,
    port: Number(new URL(await app.getUrl()).port),
    metricsPort,
    hold: () => gate.close(),
    release: () => gate.open(),
    async stop() {
      await closeGracefully();
      const cutOff = setTimeout(() => fastify.server.closeAllConnections(), settings.DRAIN_TIMEOUT * 1000);
      await app.close();
      clearTimeout(cutOff);
      await metrics.close();
      await dataPort.close();
      await largeMessages.close();
      await connection.drain();
      await tracer?.stop();
    },
  };
}

/** `true` and `false` are values of earlier versions, before the setting named proxies. */
function trustedProxies(named: readonly string[] = []): boolean | string[] {
  if (named.length <= 1 && ['true', 'false', undefined].includes(named[0])) return named[0] === 'true';
  return [...named];
}

function adapter(settings: GatewaySettings, errors: ErrorFilter): FastifyAdapter {
  return new FastifyAdapter({
    bodyLimit: settings.MAX_BODY * escapeFactor,
    trustProxy: trustedProxies(settings.TRUST_PROXY),
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    // Received requests are answered: other parts of the server run until this one has ended.
    return503OnClosing: false,
    http: {
      headersTimeout: settings.HEADERS_TIMEOUT * 1000,
      requestTimeout: 0,
      // Checked by requireOneHost, which answers with a v4 error.
      requireHostHeader: false,
      maxHeaderSize: maxHeaderBytes,
    },
    clientErrorHandler: answerUnreadableRequest,
    // Clients build paths from parts: python-gitlab requests `/features//name`.
    routerOptions: {
      maxParamLength,
      ignoreTrailingSlash: true,
      ignoreDuplicateSlashes: true,
      querystringParser: readQuery as (text: string) => Record<string, never>,
    },
    rewriteUrl: readableUrl,
    // A path with invalid percent-encoding has no route.
    frameworkErrors: (error: unknown, request: FastifyRequest, reply: FastifyReply) =>
      errors.answer(error, request, reply),
  });
}

/** See docs/api/answers.md#1. */
function addCommonHeaders(fastify: FastifyInstance, metrics: GatewayMetrics): void {
  // Hooks with callbacks: promises here would cost every request several turns of the event loop.
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers({
      'x-request-id': request.id,
      'x-frame-options': 'SAMEORIGIN',
      'x-content-type-options': 'nosniff',
      vary: 'Origin',
    });
    done();
  });
  fastify.addHook('onRequest', requireOneHost);
  fastify.addHook('onRequest', openToOtherOrigins);
  fastify.addHook('onRequest', refuseBrokenQuery);
  fastify.addHook('onSend', (_request, reply, payload, done) => {
    reply.header('x-runtime', (reply.elapsedTime / 1000).toFixed(6));
    done(null, payload);
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    metrics.answered(request.method, request.routeOptions.url ?? 'none', reply.statusCode, reply.elapsedTime / 1000);
    done();
  });
}
