import type { Operation, Route } from '@moothall/contracts';
import { describeAnswers } from './describe-answers';
import { describeOperation } from './describe-operation';
import type { DescribedOperation, DescribedParameter } from './document';
import type { Schemas } from './schemas';

/** One OpenAPI operation for several that share a method and a path; a query parameter selects between them. */
export function describeChoice(
  choices: { operation: Operation; route: Route }[],
  shownPath: string,
  schemas: Schemas,
): DescribedOperation {
  const all = choices.map(({ operation, route }) => ({
    ...describeOperation(operation, route, shownPath, schemas),
    ...(route.when ?? { parameter: '', value: '' }),
  }));
  const [{ parameter, tags, operationId, security }] = all as [(typeof all)[0]];
  const [{ route }] = choices as [(typeof choices)[0]];
  const [, resource, , ...which] = operationId.split('.');
  const values = all.map(({ value }) => value);
  return {
    operationId: [resource, ...which].join('.'),
    tags,
    summary: `${tags[0]} by ${parameter}`,
    ...(security !== undefined && { security }),
    description: all.map((one) => `**${parameter}=${one.value}:** ${one.summary}. ${one.description}`).join('\n\n'),
    parameters: [chooser(parameter, values), ...union(all.map(({ parameters }) => parameters))],
    responses: describeAnswers(
      choices.map(({ operation }) => operation),
      route,
      schemas,
    ),
  };
}

const chooser = (name: string, values: string[]): DescribedParameter => ({
  name,
  in: 'query',
  required: false,
  description: 'Kind of the answer; the first that the caller may read unless given',
  schema: { type: 'string', enum: values },
});

/** A parameter is required if all of them require it. */
function union(lists: DescribedParameter[][]): DescribedParameter[] {
  const byName = new Map(lists.flat().map((one) => [one.name, one]));
  return [...byName.values()].map((one) => ({
    ...one,
    required: lists.every((list) => list.some(({ name, required }) => name === one.name && required)),
  }));
}
