import type { Operation } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { collectParameters } from './collect';
import { refusePlainFiles } from './refuse-plain-files';
import { type Validator, validatorOf } from './validate';

/** Builds the input of an operation from path, query, body and headers. */
@Injectable()
export class InputReader {
  private readonly validators = new Map<Operation, Validator>();

  /** @throws common.invalid_parameters, which names each problem */
  read(operation: Operation, request: FastifyRequest): Record<string, unknown> {
    const given = collectParameters(request, operation);
    refusePlainFiles(operation, given);
    return this.readGiven(operation, given);
  }

  /** For parameters that do not come from a request. @throws as {@link read} */
  readGiven(operation: Operation, given: Record<string, unknown>): Record<string, unknown> {
    return this.validatorOf(operation)(given);
  }

  private validatorOf(operation: Operation): Validator {
    const known = this.validators.get(operation);
    if (known) return known;
    const made = validatorOf(operation);
    this.validators.set(operation, made);
    return made;
  }
}
