import { Int32 } from 'bson';
import { copyDocument, documentOf, fieldNames, newDocument, removeField, setField } from '../../bson/document';
import { encodeDocument } from '../../bson/encode';
import { typeNameOf } from '../../bson/type-code';
import { type Document, isDocument, type Value } from '../../bson/value';
import { MongoError } from '../../errors';
import { isNullish, named, namedOperand, positional, variadic } from '../terms/arguments';
import type { CompileOperator } from '../terms/operator';

function documentArgument(value: Value, name: string, code: number): Document {
  if (isDocument(value)) return value;
  throw new MongoError(code, `${name} requires an object, but found ${typeNameOf(value)}`);
}

const merge = variadic((values) => {
  const merged = newDocument();
  for (const value of values) {
    if (isNullish(value)) continue;
    const document = documentArgument(value, '$mergeObjects', 40400);
    for (const name of fieldNames(document)) setField(merged, name, document[name]);
  }
  return merged;
});

/** Accepts any name, with dots and dollars, which a path cannot contain. */
const getField: CompileOperator = (operand, context, name) => {
  const isFull = isDocument(operand) && fieldNames(operand).includes('field');
  const spec = isFull ? namedOperand(operand, ['field'], ['input'], name) : documentOf([['field', operand]]);
  const field = context.compile(spec.field);
  const input = context.compile(spec.input ?? '$$CURRENT');
  return (root, scope) => {
    const key = field(root, scope);
    if (typeof key !== 'string') throw new MongoError(5654602, "$getField requires 'field' to evaluate to type String");
    const document = input(root, scope);
    if (isNullish(document)) return document;
    return isDocument(document) ? document[key] : undefined;
  };
};

const setFieldTo = named(['field', 'input', 'value'], [], ({ field, input, value }) => withField(field, input, value));
const unsetField = named(['field', 'input'], [], ({ field, input }) => withField(field, input, undefined));

function withField(field: Value, input: Value, value: Value): Value {
  if (typeof field !== 'string')
    throw new MongoError(4161107, "$setField requires 'field' to evaluate to a constant String");
  if (isNullish(input)) return null;
  const copy = copyDocument(documentArgument(input, '$setField', 4161105));
  if (value === undefined) removeField(copy, field);
  else setField(copy, field, value);
  return copy;
}

export const documentOperators: Record<string, CompileOperator> = {
  $mergeObjects: merge,
  $getField: getField,
  $setField: setFieldTo,
  $unsetField: unsetField,
  $objectToArray: positional(1, 1, (value) => {
    if (isNullish(value)) return null;
    const document = documentArgument(value, '$objectToArray', 40390);
    return fieldNames(document).map((name) =>
      documentOf([
        ['k', name],
        ['v', document[name]],
      ]),
    );
  }),
  $bsonSize: positional(1, 1, (value) => {
    return isNullish(value) ? null : new Int32(encodeDocument(documentArgument(value, '$bsonSize', 31393)).length);
  }),
};
