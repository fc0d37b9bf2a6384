import type { Operation } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { collectParameters } from './collect';
import { refusePlainFiles } from './refuse-plain-files';
import { type Validator, validatorOf } from './validate';

/** Makes the input of an operation of what stands in path, query, body and headers. */
@Injectable()
export class InputReader {
  private readonly validators = new Map<Operation, Validator>();

  /** @throws common.invalid_parameters, naming each problem */
  read(operation: Operation, request: FastifyRequest): Record<string, unknown> {
    const given = collectParameters(request, operation);
    refusePlainFiles(operation, given);
    return this.readGiven(operation, given);
  }

  /** Of parameters that no request brought. @throws as {@link read} */
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
