import { Gate } from '@moothall/background';
import { Injectable } from '@nestjs/common';
import type { FastifyInstance } from 'fastify';

/** Health checks and the reset itself never wait. */
const unheld = /^\/-\/(liveness|readiness|reset)(?:\?|$)/;

/** Every request and every command over SSH passes it. */
@Injectable()
export class RequestGate extends Gate {}

/** While the gate is closed, requests wait; they are answered when it opens. */
export function holdRequests(fastify: FastifyInstance, gate: RequestGate): void {
  fastify.addHook('onRequest', (request, reply, done) => {
    if (unheld.test(request.url)) return done();
    const goOn = () => {
      reply.raw.once('close', () => gate.leave());
      done();
    };
    const waiting = gate.enter();
    if (waiting) waiting.then(goOn);
    else goOn();
  });
}
