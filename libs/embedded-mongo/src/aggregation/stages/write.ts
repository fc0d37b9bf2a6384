import { fieldNames } from '../../bson/document';
import { type Document, isDocument, type Value } from '../../bson/value';
import { MongoError } from '../../errors';
import type { CompileStage, MergeSpecification } from './stage';

/** Replaces a collection by the result; the pipeline itself returns nothing. */
export const out: CompileStage = (operand, { writer }) => {
  const target = parseTarget(operand, '$out');
  if (!writer) throw new MongoError('CommandNotSupported', '$out is not supported here');
  // biome-ignore lint/correctness/useYield: the documents end in the collection
  return async function* (input) {
    await writer.out(target, input);
  };
};

export const merge: CompileStage = (operand, { writer }) => {
  const specification = parseMerge(operand);
  if (!writer) throw new MongoError('CommandNotSupported', '$merge is not supported here');
  // biome-ignore lint/correctness/useYield: the documents end in the collection
  return async function* (input) {
    await writer.merge(specification, input);
  };
};

function parseTarget(operand: Value, name: string): { db?: string; coll: string } {
  if (typeof operand === 'string') return { coll: operand };
  if (isDocument(operand) && typeof operand.coll === 'string' && ['string', 'undefined'].includes(typeof operand.db)) {
    return operand.db === undefined ? { coll: operand.coll } : { db: operand.db as string, coll: operand.coll };
  }
  throw new MongoError(16990, `${name} only supports a string or object argument`);
}

const mergeArguments = ['into', 'on', 'let', 'whenMatched', 'whenNotMatched'];

function parseMerge(operand: Value): MergeSpecification {
  if (typeof operand === 'string') return parseMerge({ into: operand });
  if (!isDocument(operand)) throw new MongoError(51182, '$merge only supports a string or object argument');
  const unknown = fieldNames(operand).find((name) => !mergeArguments.includes(name));
  if (unknown) throw new MongoError(40415, `BSON field '$merge.${unknown}' is an unknown field.`);
  const { into, on = '_id', whenMatched = 'merge', whenNotMatched = 'insert', let: variables } = operand;
  const fields = Array.isArray(on) ? on : [on];
  if (fields.length === 0 || !fields.every((field) => typeof field === 'string')) {
    throw new MongoError(51186, "$merge 'on' must be a string or an array of strings");
  }
  if (!Array.isArray(whenMatched) && !['replace', 'keepExisting', 'merge', 'fail'].includes(whenMatched as string)) {
    throw new MongoError(
      'BadValue',
      `Enumeration value '${String(whenMatched)}' for field '$merge.whenMatched' is not a valid value.`,
    );
  }
  if (!['insert', 'discard', 'fail'].includes(whenNotMatched as string)) {
    throw new MongoError(
      'BadValue',
      `Enumeration value '${String(whenNotMatched)}' for field '$merge.whenNotMatched' is not a valid value.`,
    );
  }
  return {
    into: parseTarget(into, '$merge'),
    on: fields as string[],
    whenMatched: whenMatched as MergeSpecification['whenMatched'],
    whenNotMatched: whenNotMatched as MergeSpecification['whenNotMatched'],
    let: variables as Document | undefined,
  };
}
