import { Validators } from '@moothall/access';
import type { Operation } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { collectParameters } from './collect';
import { refusePlainFiles } from './refuse-plain-files';

/** Builds the input of an operation from path, query, body and headers. */
@Injectable()
export class InputReader {
  constructor(private readonly validators: Validators) {}

  /** @throws common.invalid_parameters, which names each problem */
  read(operation: Operation, request: FastifyRequest): Record<string, unknown> {
    const given = collectParameters(request, operation);
    refusePlainFiles(operation, given);
    return this.validators.inputOf(operation, given);
  }
}
