import type { Operation, Route } from '@moothall/contracts';
import { accessInWords } from './access-in-words';
import { tagOf } from './areas';
import { describeAnswers } from './describe-answers';
import { describeInputs } from './describe-inputs';
import type { DescribedOperation } from './document';
import type { Schemas } from './schemas';
import { securityOf } from './security';

/**
 * One route of an operation in OpenAPI.
 * @param shownPath has a name for each parameter of the route's path, which may differ
 */
export function describeOperation(
  operation: Operation,
  route: Route,
  shownPath: string,
  schemas: Schemas,
): DescribedOperation {
  const index = operation.routes.indexOf(route);
  const security = securityOf(operation.access);
  return {
    operationId: index === 0 ? operation.name : `${operation.name}.${index + 1}`,
    tags: [tagOf(operation)],
    summary: operation.summary ?? '',
    description: [...(operation.description ? [operation.description] : []), ...accessInWords(operation)].join('\n\n'),
    ...(route.isDeprecated && { deprecated: true }),
    ...(security && { security }),
    ...describeInputs(operation, route, shownPath),
    responses: describeAnswers([operation], route, schemas),
  };
}
