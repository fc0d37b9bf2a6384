import { documentStages } from '../aggregation/document-stages';
import { rootScope } from '../aggregation/expression';
import { fieldNames } from '../bson/document';
import { type Document, isDocument, type Value } from '../bson/value';
import { MongoError } from '../errors';

/**
 * Makes an update pipeline ready: the stages that turn one document into one.
 * @throws InvalidOptions (72) for other stages
 */
export function compilePipelineUpdate(
  stages: readonly Value[],
  options: { variables?: Record<string, Value>; now?: Date },
): (document: Document) => Document {
  const variables = Object.keys(options.variables ?? {});
  const steps = stages.map((stage) => {
    const [name, operand] = stageParts(stage);
    const compile = Object.hasOwn(documentStages, name) ? documentStages[name] : undefined;
    if (!compile) throw new MongoError('InvalidOptions', `${name} is not allowed to be used within an update`);
    return compile(operand, variables, name);
  });
  const scope = rootScope(options);
  return (document) => steps.reduce((result, step) => step(result, scope), document);
}

/** @throws 40323 when a stage is not a document with one field */
export function stageParts(stage: Value): [name: string, operand: Value] {
  if (!isDocument(stage))
    throw new MongoError('TypeMismatch', "Each element of the 'pipeline' array must be an object");
  const names = fieldNames(stage);
  if (names.length !== 1) {
    throw new MongoError(40323, 'A pipeline stage specification object must contain exactly one field.');
  }
  const [name] = names as [string];
  return [name, stage[name]];
}
