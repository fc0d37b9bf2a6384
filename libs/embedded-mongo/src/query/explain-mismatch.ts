import { Int32 } from 'bson';
import { readPath } from '../aggregation/expression';
import { documentOf, fieldNames, hasField } from '../bson/document';
import { typeNameOf } from '../bson/type-code';
import { type Document, isDocument, type Value } from '../bson/value';
import { compileFilter } from './compile-filter';
import { compileKeyword } from './json-schema';
import { parseFilter } from './parse-filter';
import { isOperatorDocument } from './parse-operators';

/**
 * Why a document does not match a validator, in the form of MongoDB's `errInfo.details`: the conditions that fail,
 * what they ask and what was found. Nested logical operators are given whole.
 * @see https://www.mongodb.com/docs/manual/core/schema-validation/handle-invalid-documents/
 */
export function explainMismatch(filter: Document, document: Document): Document {
  const failed = fieldNames(filter).flatMap((name, index) => {
    const clause = documentOf([[name, filter[name]]]);
    return matches(clause, document)
      ? []
      : [{ index: new Int32(index), details: explainClause(name, filter[name], document) }];
  });
  if (fieldNames(filter).length === 1) return failed[0]!.details;
  return { operatorName: '$and', clausesNotSatisfied: failed };
}

const matches = (filter: Document, document: Document): boolean => compileFilter(parseFilter(filter)).matches(document);

function explainClause(name: string, operand: Value, document: Document): Document {
  if (name === '$jsonSchema') {
    return { operatorName: name, schemaRulesNotSatisfied: unsatisfiedRules(operand as Document, document) };
  }
  if (name === '$expr')
    return { operatorName: name, specifiedAs: { [name]: operand }, reason: 'expression did not match' };
  if (name.startsWith('$')) return { operatorName: name, specifiedAs: { [name]: operand } };
  const operators = isOperatorDocument(operand) ? operand : { $eq: operand };
  const operator = fieldNames(operators).find((each) => !matches({ [name]: { [each]: operators[each] } }, document));
  return {
    operatorName: operator ?? fieldNames(operators)[0],
    specifiedAs: { [name]: operand },
    ...considered(readPath(document, name.split('.'), 0), 'comparison failed'),
  };
}

function considered(value: Value, reason: string): Document {
  if (value === undefined) return { reason: 'field was missing' };
  return { reason, consideredValue: value, consideredType: typeNameOf(value) };
}

const reasons: Record<string, string> = {
  bsonType: 'type did not match',
  type: 'type did not match',
  enum: 'value was not found in enum',
  pattern: 'regular expression did not match',
  uniqueItems: 'found a duplicate item',
};

/** The keywords of a schema that a value does not satisfy, down to the properties that break them. */
function unsatisfiedRules(schema: Document, value: Value): Document[] {
  return fieldNames(schema)
    .filter((name) => compileKeyword(name, schema)?.(value) === false)
    .map((name) => explainRule(name, schema[name], value));
}

function explainRule(name: string, operand: Value, value: Value): Document {
  if (name === 'properties' && isDocument(operand) && isDocument(value)) {
    return { operatorName: name, propertiesNotSatisfied: unsatisfiedProperties(operand, value) };
  }
  const specifiedAs = { [name]: operand };
  if (name === 'required' && Array.isArray(operand) && isDocument(value)) {
    const missingProperties = operand.filter((property) => !hasField(value, property as string));
    return { operatorName: name, specifiedAs, missingProperties };
  }
  return { operatorName: name, specifiedAs, ...considered(value, reasons[name] ?? 'comparison failed') };
}

function unsatisfiedProperties(properties: Document, value: Document): Document[] {
  return fieldNames(properties).flatMap((propertyName) => {
    if (!hasField(value, propertyName)) return [];
    const schema = properties[propertyName] as Document;
    const details = unsatisfiedRules(schema, value[propertyName]);
    const { title, description } = schema;
    const known = Object.entries({ title, description }).filter(([, text]) => text !== undefined);
    return details.length === 0 ? [] : [{ propertyName, ...Object.fromEntries(known), details }];
  });
}
