import { commonErrors } from '@moothall/contracts';
import type { INestApplication } from '@nestjs/common';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorFilter } from '../answer/error.filter';
import { hangUpAfterAnswer, isHangingUp } from '../answer/hang-up';
import type { GatewaySettings } from '../settings/settings';
import { BodyAdmission, hasBody } from './body-admission';
import { FileBodies } from './file-bodies';
import { FormBodies } from './form-bodies';
import { LeastRate } from './least-rate';
import { MultipartBodies } from './multipart-bodies';

/**
 * Bodies are admitted before they are read, need a minimum rate, and are not read further once the response is known.
 */
export function takeBodies(
  fastify: FastifyInstance,
  app: INestApplication,
  errors: ErrorFilter,
  { BODY_LEAST_RATE, BODY_RATE_SPAN }: GatewaySettings,
): void {
  const rates = new LeastRate(BODY_LEAST_RATE, BODY_RATE_SPAN * 1000);
  const giveUp = (request: FastifyRequest, reply: FastifyReply) => {
    if (reply.sent) request.raw.destroy();
    else errors.answer(commonErrors.requestTimeout(), request, reply);
  };
  fastify.addHook('onRequest', (request, reply, done) => {
    if (isHangingUp(request.raw.socket)) {
      request.raw.destroy();
      return;
    }
    if (hasBody(request)) rates.watch(request.raw, () => giveUp(request, reply));
    done();
  });
  fastify.addHook('preParsing', app.get(BodyAdmission).hook);
  fastify.addHook('preValidation', app.get(MultipartBodies).hook);
  fastify.addHook('preValidation', app.get(FileBodies).hook);
  fastify.addHook('preValidation', app.get(FormBodies).hook);
  fastify.addHook('onSend', (request, reply, payload, done) => {
    if (!request.raw.complete) {
      reply.header('connection', 'close');
      hangUpAfterAnswer(request.raw);
    }
    done(null, payload);
  });
  // Clients with `Expect: 100-continue` get it when their body is admitted.
  fastify.server.on('checkContinue', (request, response) => fastify.server.emit('request', request, response));
  fastify.addHook('onClose', (_instance, done) => {
    rates.stop();
    done();
  });
}
