import { readTraceparent, type Span, Task, type Tracer, withinTask } from '@moothall/tracing';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

interface Followed {
  task: Task;
  span: Span | undefined;
}

/**
 * Passes the request id to all calls of services and log lines. With tracing, each request is a span, part of the
 * client's trace if it names one.
 */
export function followRequests(fastify: FastifyInstance, tracer: Tracer | undefined): void {
  const followed = new WeakMap<FastifyRequest, Followed>();
  fastify.addHook('onRequest', (request, _reply, done) => {
    const span = tracer?.start({
      kind: 'server',
      name: request.method,
      attributes: { 'http.request.method': request.method, 'moothall.request_id': request.id },
      parent: traceparentOf(request),
    });
    const task = new Task({ requestId: request.id, traceparent: span?.traceparent }, tracer);
    followed.set(request, { task, span });
    withinTask(task, done);
  });
  // After the body, the async context is that of the connection, which started before the request.
  fastify.addHook('preValidation', (request, _reply, done) => {
    const task = followed.get(request)?.task;
    if (task) withinTask(task, done);
    else done();
  });
  fastify.addHook('onResponse', (request, reply, done) => {
    followed.get(request)?.span?.end(answered(request, reply));
    done();
  });
}

/** An invalid header is ignored. */
function traceparentOf({ headers }: FastifyRequest): string | undefined {
  const { traceparent } = headers;
  return typeof traceparent === 'string' && readTraceparent(traceparent) ? traceparent : undefined;
}

function answered({ method, routeOptions }: FastifyRequest, { statusCode }: FastifyReply) {
  const { url: route = 'none' } = routeOptions;
  return {
    name: `${method} ${route}`,
    attributes: { 'http.route': route, 'http.response.status_code': statusCode },
    ...(statusCode >= 500 && { error: String(statusCode) }),
  };
}
