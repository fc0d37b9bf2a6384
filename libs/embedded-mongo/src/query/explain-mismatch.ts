import { Int32 } from 'bson';
import { documentOf, fieldNames, hasField } from '../bson/document';
import { typeNameOf } from '../bson/type-code';
import { type Document, isDocument, type Value } from '../bson/value';
import { readPath } from '../expression/expression';
import { compileFilter } from './compile-filter';
import { compileKeyword } from './json-schema';
import { parseFilter } from './parse-filter';
import { isOperatorDocument } from './parse-operators';

/**
 * Why a document does not match a validator, in the form of MongoDB's `errInfo.details`: the failed conditions with
 * expected and actual values, down through `$and`, `$or`, `$nor` and `$not`.
 * @see https://www.mongodb.com/docs/manual/core/schema-validation/handle-invalid-documents/
 */
export function explainMismatch(filter: Document, document: Document): Document {
  return explainClause(filter, document, false);
}

const matches = (filter: Document, document: Document): boolean => compileFilter(parseFilter(filter)).matches(document);

/** @param isMet whether the trouble is that it matches, as within `$nor` */
function explainClause(filter: Document, document: Document, isMet: boolean): Document {
  const conditions = conditionsOf(filter);
  if (conditions.length === 1) return explainCondition(conditions[0]!, document, isMet);
  return explainAll('$and', conditions, document, isMet);
}

/** A filter's conditions one by one: `{a: {$gt: 1, $lt: 5}}` are two. */
function conditionsOf(filter: Document): Document[] {
  return fieldNames(filter).flatMap((name) => {
    const operand = filter[name];
    // A pattern and its options are one condition.
    if (name.startsWith('$') || !isOperatorDocument(operand) || hasField(operand, '$regex'))
      return [documentOf([[name, operand]])];
    return fieldNames(operand).map((operator) => documentOf([[name, documentOf([[operator, operand[operator]]])]]));
  });
}

/** The failed ones of several clauses, under MongoDB's name of the list. */
function explainAll(operatorName: string, clauses: Document[], document: Document, isMet: boolean): Document {
  const blamed = clauses.flatMap((clause, index) =>
    matches(clause, document) === isMet
      ? [{ index: new Int32(index), details: explainClause(clause, document, isMet) }]
      : [],
  );
  return { operatorName, [isMet ? 'clausesSatisfied' : 'clausesNotSatisfied']: blamed };
}

function explainCondition(condition: Document, document: Document, isMet: boolean): Document {
  const name = fieldNames(condition)[0]!;
  const operand = condition[name];
  switch (name) {
    case '$and':
    case '$or':
      return explainAll(name, operand as Document[], document, isMet);
    case '$nor':
      return explainAll(name, operand as Document[], document, !isMet);
    case '$jsonSchema':
      if (isMet) return { operatorName: name, specifiedAs: condition, reason: 'schema matched' };
      return { operatorName: name, schemaRulesNotSatisfied: unsatisfiedRules(operand as Document, document) };
    case '$expr':
      return { operatorName: name, specifiedAs: condition, reason: `expression did${isMet ? '' : ' not'} match` };
    default:
      return name.startsWith('$')
        ? { operatorName: name, specifiedAs: condition }
        : explainField(name, operand, document, isMet);
  }
}

function explainField(name: string, operand: Value, document: Document, isMet: boolean): Document {
  const specifiedAs = documentOf([[name, operand]]);
  const operator = isOperatorDocument(operand) ? fieldNames(operand)[0]! : '$eq';
  const inner = isOperatorDocument(operand) ? operand[operator] : undefined;
  if (operator === '$not' && isDocument(inner))
    return { operatorName: operator, details: explainClause(documentOf([[name, inner]]), document, !isMet) };
  const [failed, succeeded] = outcomes[operator] ?? ['comparison failed', 'comparison succeeded'];
  const reason = isMet ? succeeded : failed;
  if (operator === '$exists') return { operatorName: operator, specifiedAs, reason };
  return { operatorName: operator, specifiedAs, ...considered(readPath(document, name.split('.'), 0), reason) };
}

/** MongoDB's texts for conditions that fail, and for those that should have failed. */
const outcomes: Record<string, readonly [string, string]> = {
  $exists: ['path does not exist', 'path does exist'],
  $type: ['type did not match', 'type did match'],
  $in: ['no matching value found in array', 'matching value found in array'],
  $nin: ['matching value found in array', 'no matching value found in array'],
  $mod: ['$mod did not evaluate to expected remainder', '$mod did evaluate to expected remainder'],
  $regex: ['regular expression did not match', 'regular expression did match'],
  $size: ['array length was not equal to given size', 'array length was equal to given size'],
  $elemMatch: ['array did not satisfy the child predicate', 'array did satisfy the child predicate'],
};

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

/** The failed keywords of a schema, down to the properties that break them. */
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
