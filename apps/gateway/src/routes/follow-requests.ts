import { Task, withinTask } from '@moothall/tracing';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Lets all that a request leads to know its id: what is asked of services, and every line of the log. */
export function followRequests(fastify: FastifyInstance): void {
  const tasks = new WeakMap<FastifyRequest, Task>();
  fastify.addHook('onRequest', (request, _reply, done) => {
    const task = new Task({ requestId: request.id });
    tasks.set(request, task);
    withinTask(task, done);
  });
  // What a body's end leads to belongs to the connection, which began before the request.
  fastify.addHook('preValidation', (request, _reply, done) => {
    const task = tasks.get(request);
    if (task) withinTask(task, done);
    else done();
  });
}
