import { Int32 } from 'bson';
import { compareValues } from '../../bson/compare';
import { documentOf, fieldNames, hasField } from '../../bson/document';
import { type Document, isDocument, type Value } from '../../bson/value';
import { MongoError } from '../../errors';
import { compilationContext, type Evaluate } from '../../expression/expression';
import { accumulatorNamed } from '../../expression/terms/accumulators';
import { type Group, Grouping, type Output } from './grouping';
import { sortBy } from './sort';
import { allDocuments, BATCH_DOCUMENTS, type CompileStage, type StageContext } from './stage';

export const group: CompileStage = (operand, context) => {
  if (!isDocument(operand)) throw new MongoError(15947, "a group's fields must be specified in an object");
  if (!hasField(operand, '_id')) throw new MongoError(15955, 'a group specification must include an _id');
  const id = compilationContext(context.names).compile(operand._id);
  const names = fieldNames(operand).filter((name) => name !== '_id');
  const outputs = names.map((name) => compileOutput(name, operand[name], context));
  return async function* (input) {
    let batch: Document[] = [];
    for await (const found of new Grouping(id, outputs, context).groups(input)) {
      if (batch.push(groupDocument(found, outputs)) < BATCH_DOCUMENTS) continue;
      yield batch;
      batch = [];
      await context.takeTurn?.();
    }
    if (batch.length > 0) yield batch;
  };
};

function compileOutput(name: string, operand: Value, context: StageContext): Output {
  if (name.includes('.')) throw new MongoError(40235, `The field name '${name}' cannot contain '.'`);
  if (name.startsWith('$')) throw new MongoError(40236, `The field name '${name}' cannot be an operator name`);
  if (!isDocument(operand)) throw new MongoError(40234, `The field '${name}' must be an accumulator object`);
  const [operator, ...others] = fieldNames(operand);
  if (operator === undefined || others.length > 0) {
    throw new MongoError(40238, `The field '${name}' must specify one accumulator`);
  }
  const compile = accumulatorNamed(operator);
  return { name, create: compile(operand[operator], compilationContext(context.names), context.collation, operator) };
}

function groupDocument({ id, accumulators }: Group, outputs: readonly Output[]): Document {
  return documentOf([
    ['_id', id],
    ...accumulators.map((accumulator, index) => [(outputs[index] as Output).name, accumulator.result()] as const),
  ]);
}

const countOutput = documentOf([['count', documentOf([['$sum', new Int32(1)]])]]);

export const sortByCount: CompileStage = (operand, context, name) => {
  const counted = group(
    documentOf([
      ['_id', operand],
      ['count', countOutput.count],
    ]),
    context,
    name,
  );
  const byCount = sortBy([{ path: 'count', direction: -1 }], context);
  return (input) => byCount(counted(input));
};

/** Groups by ranges of a value: `boundaries[i] <= value < boundaries[i + 1]`. Empty ranges are omitted. */
export const bucket: CompileStage = (operand, context) => {
  if (!isDocument(operand)) throw new MongoError(40201, 'Argument to $bucket stage must be an object');
  const { groupBy, boundaries, default: other, output = countOutput } = operand;
  if (groupBy === undefined || !Array.isArray(boundaries)) {
    throw new MongoError(40198, "$bucket requires 'groupBy' and 'boundaries' to be specified.");
  }
  if (boundaries.length < 2) throw new MongoError(40192, `The $bucket 'boundaries' field must have at least 2 values`);
  for (let index = 1; index < boundaries.length; index++) {
    if (compareValues(boundaries[index - 1], boundaries[index]) < 0) continue;
    throw new MongoError(40194, "The 'boundaries' option to $bucket must be sorted in ascending order");
  }
  if (!isDocument(output)) throw new MongoError(40196, "The $bucket 'output' field must be an object");
  const compilation = compilationContext(context.names);
  const value = compilation.compile(groupBy);
  const lowest: Evaluate = (document, scope) => {
    const found = boundaryOf(value(document, scope) ?? null, boundaries);
    if (found !== undefined) return found;
    if (hasField(operand, 'default')) return other;
    throw new MongoError(40066, '$switch could not find a matching branch for an input, and no default was specified.');
  };
  const outputs = fieldNames(output).map((field) => compileOutput(field, output[field], context));
  return allDocuments(async (input) => {
    const groups: Group[] = [];
    for await (const found of new Grouping(lowest, outputs, context).groups(input)) groups.push(found);
    groups.sort((a, b) => compareValues(a.id, b.id));
    return groups.map((found) => groupDocument(found, outputs));
  }, context);
};

function boundaryOf(value: Value, boundaries: Value[]): Value {
  for (let index = boundaries.length - 2; index >= 0; index--) {
    if (compareValues(value, boundaries[index]) >= 0) {
      return compareValues(value, boundaries[index + 1]) < 0 ? boundaries[index] : undefined;
    }
  }
  return undefined;
}
