import { documentStages } from '../aggregation/document-stages';
import { stageParts } from '../aggregation/pipeline';
import type { Document, Value } from '../bson/value';
import { MongoError } from '../errors';
import { rootScope } from '../expression/expression';

/**
 * Compiles an update pipeline: stages that map one document to one.
 * @throws InvalidOptions (72) for other stages
 */
export function compilePipelineUpdate(
  stages: readonly Value[],
  options: { variables?: Record<string, Value> | undefined; now?: Date | undefined },
): (document: Document) => Document {
  const variables = Object.keys(options.variables ?? {});
  const steps = stages.map((stage) => {
    const { name, operand } = stageParts(stage);
    const compile = Object.hasOwn(documentStages, name) ? documentStages[name] : undefined;
    if (!compile) throw new MongoError('InvalidOptions', `${name} is not allowed to be used within an update`);
    return compile(operand, variables, name);
  });
  const scope = rootScope(options);
  return (document) => steps.reduce((result, step) => step(result, scope), document);
}
