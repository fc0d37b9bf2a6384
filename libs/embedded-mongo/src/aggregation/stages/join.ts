import { copyDocument, documentOf, fieldNames, setField } from '../../bson/document';
import { keyString } from '../../bson/index-key';
import { type Document, isDocument, Rank, rankOf, type Value } from '../../bson/value';
import { ValueSet } from '../../bson/value-set';
import { MongoError } from '../../errors';
import { compilationContext, type Evaluate } from '../../expression/expression';
import { sortValues } from '../../language/sort';
import { parsePath } from '../../language/visit-path';
import { compileFilter } from '../../query/compile-filter';
import type { FilterNode } from '../../query/filter-node';
import { withField } from './flow';
import { type Batches, type CompileStage, type StageContext } from './stage';

interface Join {
  from: string;
  as: string[];
  localField: string | undefined;
  foreignField: string | undefined;
  pipeline: Value[] | undefined;
  /** The stage's `let`, by name. */
  variables: Map<string, Evaluate>;
}

export const lookup: CompileStage = (operand, context) => {
  const join = parseLookup(operand, context);
  const { aggregate } = context;
  if (!aggregate) throw new MongoError('CommandNotSupported', '$lookup is not supported here');
  if (join.pipeline) {
    // Refused now, not at the first document.
    context.compilePipeline(join.pipeline, { variables: sampleVariables(join, context) });
    return perDocument(join, join.pipeline, aggregate, context);
  }
  return perBatch(join, aggregate, context);
};

function parseLookup(operand: Value, context: StageContext): Join {
  if (!isDocument(operand)) throw new MongoError('FailedToParse', 'the $lookup specification must be an object');
  for (const name of fieldNames(operand)) checkArgument(name, operand[name]);
  const { from, as, localField, foreignField, pipeline, let: variables } = operand as Record<string, never>;
  if (as === undefined) throw new MongoError('FailedToParse', "must specify 'as' field for a $lookup");
  if (from === undefined) throw new MongoError('FailedToParse', "must specify 'from' field for a $lookup");
  if ((localField === undefined) !== (foreignField === undefined)) {
    throw new MongoError(
      'FailedToParse',
      "$lookup requires both or neither of 'localField' and 'foreignField' to be specified",
    );
  }
  if (localField === undefined && pipeline === undefined) {
    throw new MongoError(
      'FailedToParse',
      "$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified",
    );
  }
  const compilation = compilationContext(context.names);
  const declared: Document = isDocument(variables) ? variables : {};
  return {
    from,
    as: (as as string).split('.'),
    localField,
    foreignField,
    pipeline,
    variables: new Map(fieldNames(declared).map((name) => [name, compilation.compile(declared[name])])),
  };
}

function checkArgument(name: string, value: Value): void {
  const isRight: Record<string, boolean> = {
    from: typeof value === 'string',
    as: typeof value === 'string',
    localField: typeof value === 'string',
    foreignField: typeof value === 'string',
    pipeline: Array.isArray(value),
    let: isDocument(value),
  };
  if (!Object.hasOwn(isRight, name)) throw new MongoError('FailedToParse', `unknown argument to $lookup: ${name}`);
  if (!isRight[name]) throw new MongoError('FailedToParse', `$lookup argument '${name}' is of the wrong type`);
}

const sampleVariables = (join: Join, context: StageContext): Record<string, Value> => ({
  ...context.variables,
  ...Object.fromEntries([...join.variables.keys()].map((name) => [name, null])),
});

type Aggregate = NonNullable<StageContext['aggregate']>;

/** With a pipeline that reads the document through variables: one run for each document. */
function perDocument(join: Join, pipeline: Value[], aggregate: Aggregate, context: StageContext) {
  return async function* (input: Batches): Batches {
    for await (const batch of input) {
      const joined: Document[] = [];
      for (const document of batch) {
        const variables: Record<string, Value> = { ...context.variables };
        for (const [name, evaluate] of join.variables) variables[name] = evaluate(document, context.scope) ?? null;
        const own = join.localField === undefined ? [] : [matchAny(join, localValues(document, join.localField))];
        joined.push(withField(document, join.as, await gather(aggregate(join.from, [...own, ...pipeline], variables))));
      }
      yield joined;
    }
  };
}

async function gather(batches: Batches): Promise<Document[]> {
  const documents: Document[] = [];
  for await (const batch of batches) documents.push(...batch);
  return documents;
}

/** Plain equality: one read by `$in` for a whole batch of documents, then dealt out by key. */
function perBatch(join: Join, aggregate: Aggregate, context: StageContext) {
  const { localField, foreignField } = join as Required<Pick<Join, 'localField' | 'foreignField'>> as {
    localField: string;
    foreignField: string;
  };
  return async function* (input: Batches): Batches {
    for await (const batch of input) {
      const values = batch.map((document) => localValues(document, localField));
      const foreign = await gather(
        aggregate(join.from, [matchAny(join, distinct(values.flat()))], { ...context.variables }),
      );
      const byKey = indexed(foreign, foreignField, context);
      yield batch.map((document, index) => {
        const matches = dealt(values[index] as Value[], foreign, byKey, foreignField, context);
        return withField(document, join.as, matches.map(copyDocument));
      });
    }
  };
}

/** An array counts as its elements; a missing value as null. */
function localValues(document: Document, path: string): Value[] {
  return sortValues(document, parsePath(path));
}

function distinct(values: Value[]): Value[] {
  const seen = new ValueSet();
  return values.filter((value) => seen.add(value));
}

/** Equality with any of the values; regular expressions count as values, unlike in `$in`. */
function matchAny({ foreignField }: Join, values: Value[]): Document {
  const field = foreignField as string;
  const isRegExp = (value: Value): boolean => rankOf(value) === Rank.RegExp;
  const plain = documentOf([[field, documentOf([['$in', values.filter((value) => !isRegExp(value))]])]]);
  const expressions = values.filter(isRegExp).map((value) => documentOf([[field, documentOf([['$eq', value]])]]));
  return documentOf([['$match', expressions.length === 0 ? plain : documentOf([['$or', [plain, ...expressions]]])]]);
}

/** Indexes of foreign documents by the keys of their values. */
function indexed(foreign: Document[], field: string, { collation }: StageContext): Map<string, number[]> {
  const path = parsePath(field);
  const byKey = new Map<string, number[]>();
  for (const [number, document] of foreign.entries()) {
    const keys = new Set(sortValues(document, path).map((value) => keyString(value, collation)));
    for (const key of keys) {
      const numbers = byKey.get(key);
      if (numbers) numbers.push(number);
      else byKey.set(key, [number]);
    }
  }
  return byKey;
}

function dealt(
  values: Value[],
  foreign: Document[],
  byKey: Map<string, number[]>,
  field: string,
  { collation }: StageContext,
): Document[] {
  const numbers = new Set(values.flatMap((value) => byKey.get(keyString(value, collation)) ?? []));
  // The key of an empty array is that of null, which it is not equal to: the filter has the last word.
  const node: FilterNode = {
    kind: 'or',
    children: values.map((value) => ({ kind: 'leaf', path: field, operator: '$eq', value })),
  };
  const matcher = compileFilter(node, { collation });
  return [...numbers]
    .sort((a, b) => a - b)
    .map((number) => foreign[number] as Document)
    .filter((document) => matcher.matches(document));
}

export const unionWith: CompileStage = (operand, context) => {
  const spec = typeof operand === 'string' ? documentOf([['coll', operand]]) : operand;
  if (!isDocument(spec))
    throw new MongoError('FailedToParse', 'the $unionWith stage specification must be an object or string');
  const { coll, pipeline = [] } = spec;
  if (typeof coll !== 'string') throw new MongoError('FailedToParse', "$unionWith needs a string for 'coll'");
  if (!Array.isArray(pipeline)) throw new MongoError('TypeMismatch', "'pipeline' of $unionWith must be an array");
  const { aggregate } = context;
  if (!aggregate) throw new MongoError('CommandNotSupported', '$unionWith is not supported here');
  context.compilePipeline(pipeline);
  return async function* (input) {
    yield* input;
    yield* aggregate(coll, pipeline, { ...context.variables });
  };
};

/** Follows references from document to document, breadth first. */
export const graphLookup: CompileStage = (operand, context) => {
  if (!isDocument(operand))
    throw new MongoError('FailedToParse', 'the $graphLookup stage specification must be an object');
  const { from, startWith, connectFromField, connectToField, as, maxDepth, depthField, restrictSearchWithMatch } =
    operand;
  const { aggregate } = context;
  if (!aggregate) throw new MongoError('CommandNotSupported', '$graphLookup is not supported here');
  for (const [name, value] of Object.entries({ from, connectFromField, connectToField, as })) {
    if (typeof value !== 'string') throw new MongoError(40103, `$graphLookup argument '${name}' must be a string`);
  }
  if (startWith === undefined) throw new MongoError(40105, "$graphLookup requires 'startWith'");
  const start = compilationContext(context.names).compile(startWith);
  const deepest = maxDepth === undefined ? Number.POSITIVE_INFINITY : Number(String(maxDepth));
  const restriction = isDocument(restrictSearchWithMatch) ? [documentOf([['$match', restrictSearchWithMatch]])] : [];
  const next = async (values: Value[]): Promise<Document[]> => {
    const match = documentOf([['$match', documentOf([[connectToField as string, documentOf([['$in', values]])]])]]);
    return gather(aggregate(from as string, [match, ...restriction], { ...context.variables }));
  };
  const reached = async (document: Document): Promise<Document[]> => {
    const first = start(document, context.scope) ?? null;
    const found: Document[] = [];
    const seen = new ValueSet();
    let values = Array.isArray(first) ? first : [first];
    for (let depth = 0; values.length > 0 && depth <= deepest; depth++) {
      const fresh = (await next(distinct(values))).filter((candidate) => seen.add(candidate._id));
      for (const candidate of fresh) {
        const copy = copyDocument(candidate);
        if (typeof depthField === 'string') setField(copy, depthField, BigInt(depth));
        found.push(copy);
      }
      values = fresh.flatMap((candidate) => sortValues(candidate, parsePath(connectFromField as string)));
    }
    return found;
  };
  return async function* (input) {
    for await (const batch of input) {
      const joined: Document[] = [];
      for (const document of batch)
        joined.push(withField(document, (as as string).split('.'), await reached(document)));
      yield joined;
    }
  };
};
