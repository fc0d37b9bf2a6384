import type { Operation } from '@moothall/contracts';
import { Injectable } from '@nestjs/common';
import { type Validator, validatorOf } from './validate';

/** The validators of all operations, each built at its first use. */
@Injectable()
export class Validators {
  private readonly made = new Map<Operation, Validator>();

  /** @throws common.invalid_parameters, which names each problem */
  inputOf(operation: Operation, given: Record<string, unknown>): Record<string, unknown> {
    return this.validatorOf(operation)(given);
  }

  private validatorOf(operation: Operation): Validator {
    const known = this.made.get(operation);
    if (known) return known;
    const validator = validatorOf(operation);
    this.made.set(operation, validator);
    return validator;
  }
}
