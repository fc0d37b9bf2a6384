import { type ContextOf, type Operation, type ParsedOf, present, type ResultOf } from '@moothall/contracts';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';

export type Handler<T> = (context: ContextOf<T>, input: ParsedOf<T>) => Promise<ResultOf<T>>;

/**
 * Marks the method of a Nest controller that answers an operation, as `handle(context, input)`. Context, input and
 * result have the types of the contract.
 */
export function Handles<T extends Operation>(operation: T) {
  return <M extends Handler<T>>(target: object, key: string, descriptor: TypedPropertyDescriptor<M>): void => {
    Ctx()(target, key, 0);
    Payload()(target, key, 1);
    MessagePattern(operation.name)(target, key, descriptor);
  };
}

/**
 * Marks the methods of a Nest controller that answer several operations, by their names; for controllers of several
 * areas that inherit their methods. Types are checked like by {@link Handles}.
 */
export function HandlesEach<O extends Record<string, Operation>>(operations: O) {
  return ({ prototype }: { prototype: { [K in keyof O]: Handler<O[K]> } }): void => {
    for (const [key, operation] of Object.entries(operations)) {
      const { [key]: inherited } = prototype as Record<string, Handler<Operation>>;
      // Nest stores the subject on the function: each controller needs its own functions.
      const value: Handler<Operation> = function (this: unknown, context, input) {
        return present(inherited, key).call(this, context, input);
      };
      const descriptor = { value, writable: true, configurable: true };
      Object.defineProperty(prototype, key, descriptor);
      Handles(operation)(prototype, key, descriptor);
    }
  };
}
