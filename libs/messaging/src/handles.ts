import type { ContextOf, Operation, ParsedOf, ResultOf } from '@moothall/contracts';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';

type Handler<T> = (context: ContextOf<T>, input: ParsedOf<T>) => Promise<ResultOf<T>>;

/**
 * Marks the method of a Nest controller that answers an operation, as `handle(context, input)`.
 * The types of context, input and result are those of the contract.
 */
export function Handles<T extends Operation>(operation: T) {
  return <M extends Handler<T>>(target: object, key: string, descriptor: TypedPropertyDescriptor<M>): void => {
    Ctx()(target, key, 0);
    Payload()(target, key, 1);
    MessagePattern(operation.name)(target, key, descriptor);
  };
}
