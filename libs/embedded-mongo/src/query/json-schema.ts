import { compareValues } from '../bson/compare';
import { fieldNames, hasField } from '../bson/document';
import { type BsonNumber, compareNumbers, integral, toDouble } from '../bson/number';
import { typeCodeOf } from '../bson/type-code';
import { type Document, isDocument, isNumber, type Value } from '../bson/value';
import { ValueSet } from '../bson/value-set';
import { MongoError } from '../errors';
import { compileRegularExpression } from '../language/regular-expression';
import { parseTypeSet } from './type-set';

type Check = (value: Value) => boolean;
type Keyword = (operand: Value, schema: Document) => Check;

const fail = (message: string): MongoError => new MongoError('FailedToParse', message);

/**
 * Compiles a JSON Schema of draft 4 with `bsonType`, for `$jsonSchema` and validators. Keywords apply only to values
 * of their type, as in the standard.
 * @throws FailedToParse (9) for unknown keywords, TypeMismatch (14) for operands of the wrong type
 */
export function compileJsonSchema(schema: Value): Check {
  if (!isDocument(schema)) throw new MongoError('TypeMismatch', '$jsonSchema must be an object');
  const checks = fieldNames(schema).map((name) => compileKeyword(name, schema));
  return (value) => checks.every((check) => check === undefined || check(value));
}

/**
 * One compiled keyword of a schema; undefined for those that check nothing by themselves.
 * @throws like compileJsonSchema
 */
export function compileKeyword(name: string, schema: Document): Check | undefined {
  if (annotations.has(name)) return undefined;
  const keyword = keywords.get(name);
  if (!keyword) throw fail(`Unknown $jsonSchema keyword: ${name}`);
  return keyword(schema[name], schema);
}

const annotations = new Set(['title', 'description', 'exclusiveMaximum', 'exclusiveMinimum', 'additionalItems']);

const jsonTypes: Record<string, string> = {
  object: 'object',
  array: 'array',
  number: 'number',
  boolean: 'bool',
  string: 'string',
  null: 'null',
};

function numberOf(operand: Value, keyword: string): BsonNumber {
  if (!isNumber(operand)) throw new MongoError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be a number`);
  return operand;
}

function countOf(operand: Value, keyword: string): number {
  const count = integral(numberOf(operand, keyword));
  if (count === undefined || count < 0n) throw fail(`$jsonSchema keyword '${keyword}' must be a non-negative integer`);
  return Number(count);
}

function schemasOf(operand: Value, keyword: string): Check[] {
  if (!Array.isArray(operand) || operand.length === 0) {
    throw new MongoError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be a nonempty array`);
  }
  return operand.map(compileJsonSchema);
}

function fieldsOf(operand: Value, keyword: string): Document {
  if (!isDocument(operand)) throw new MongoError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be an object`);
  return operand;
}

function namesOf(operand: Value, keyword: string): string[] {
  if (!Array.isArray(operand) || !operand.every((name) => typeof name === 'string')) {
    throw new MongoError('TypeMismatch', `$jsonSchema keyword '${keyword}' must be an array of strings`);
  }
  return operand as string[];
}

const onNumbers = (check: (value: BsonNumber) => boolean): Check => {
  return (value) => !isNumber(value) || check(value);
};
const onStrings = (check: (value: string) => boolean): Check => {
  return (value) => typeof value !== 'string' || check(value);
};
const onArrays = (check: (value: Value[]) => boolean): Check => {
  return (value) => !Array.isArray(value) || check(value);
};
const onDocuments = (check: (value: Document) => boolean): Check => {
  return (value) => !isDocument(value) || check(value);
};

const bsonType: Keyword = (operand) => {
  const { codes } = parseTypeSet(operand);
  return (value) => codes.has(typeCodeOf(value));
};

const jsonType: Keyword = (operand) => {
  const names = Array.isArray(operand) ? operand : [operand];
  return bsonType(
    names.map((name) => {
      const type = typeof name === 'string' ? jsonTypes[name] : undefined;
      if (!type) throw fail(`Unknown type name alias for $jsonSchema keyword 'type': ${String(name)}`);
      return type;
    }),
    {},
  );
};

const properties: Keyword = (operand) => {
  const schemas = fieldsOf(operand, 'properties');
  const checks = fieldNames(schemas).map((name) => ({ name, check: compileJsonSchema(schemas[name]) }));
  return onDocuments((document) =>
    checks.every(({ name, check }) => !hasField(document, name) || check(document[name])),
  );
};

function patternsOf(operand: Value): { test(name: string): boolean; check: Check }[] {
  const schemas = fieldsOf(operand ?? {}, 'patternProperties');
  return fieldNames(schemas).map((source) => {
    const expression = compileRegularExpression(source, '');
    return { test: (name) => expression.test(name), check: compileJsonSchema(schemas[source]) };
  });
}

const patternProperties: Keyword = (operand) => {
  const patterns = patternsOf(operand);
  return onDocuments((document) =>
    fieldNames(document).every((name) => patterns.every(({ test, check }) => !test(name) || check(document[name]))),
  );
};

const additionalProperties: Keyword = (operand, schema) => {
  const known = new Set(isDocument(schema.properties) ? fieldNames(schema.properties) : []);
  const patterns = patternsOf(schema.patternProperties);
  const check: Check = typeof operand === 'boolean' ? () => operand : compileJsonSchema(operand);
  return onDocuments((document) =>
    fieldNames(document)
      .filter((name) => !known.has(name) && !patterns.some(({ test }) => test(name)))
      .every((name) => check(document[name])),
  );
};

const items: Keyword = (operand, schema) => {
  if (!Array.isArray(operand)) {
    const check = compileJsonSchema(operand);
    return onArrays((elements) => elements.every(check));
  }
  const checks = operand.map(compileJsonSchema);
  const more = schema.additionalItems;
  const rest: Check =
    more === undefined ? () => true : typeof more === 'boolean' ? () => more : compileJsonSchema(more);
  return onArrays((elements) => elements.every((element, index) => (checks[index] ?? rest)(element)));
};

const dependencies: Keyword = (operand) => {
  const document = fieldsOf(operand, 'dependencies');
  const checks = fieldNames(document).map((name) => {
    const dependency = document[name];
    if (!Array.isArray(dependency)) return { name, check: compileJsonSchema(dependency) };
    const needed = namesOf(dependency, 'dependencies');
    return { name, check: (value: Value) => needed.every((field) => hasField(value as Document, field)) };
  });
  return onDocuments((value) => checks.every(({ name, check }) => !hasField(value, name) || check(value)));
};

const multipleOf: Keyword = (operand) => {
  const divisor = toDouble(numberOf(operand, 'multipleOf'));
  if (divisor <= 0) throw fail("$jsonSchema keyword 'multipleOf' must have a positive value");
  return onNumbers((value) => toDouble(value) % divisor === 0);
};

const limit =
  (keyword: 'minimum' | 'maximum', exclusive: string, sign: 1 | -1): Keyword =>
  (operand, schema) => {
    const bound = numberOf(operand, keyword);
    const least = schema[exclusive] === true ? 1 : 0;
    return onNumbers((value) => compareNumbers(value, bound) * sign >= least);
  };

const codePoints = (text: string): number => Array.from(text).length;

const keywords = new Map<string, Keyword>(
  Object.entries<Keyword>({
    bsonType,
    type: jsonType,
    properties,
    patternProperties,
    additionalProperties,
    items,
    dependencies,
    multipleOf,
    minimum: limit('minimum', 'exclusiveMinimum', 1),
    maximum: limit('maximum', 'exclusiveMaximum', -1),
    required: (operand) => {
      const names = namesOf(operand, 'required');
      return onDocuments((document) => names.every((name) => hasField(document, name)));
    },
    enum: (operand) => {
      if (!Array.isArray(operand)) throw new MongoError('TypeMismatch', "$jsonSchema keyword 'enum' must be an array");
      return (value) => operand.some((option) => compareValues(option, value) === 0);
    },
    pattern: (operand) => {
      const expression = compileRegularExpression(String(operand), '');
      return onStrings((text) => expression.test(text));
    },
    minLength: (operand) => {
      const least = countOf(operand, 'minLength');
      return onStrings((text) => codePoints(text) >= least);
    },
    maxLength: (operand) => {
      const most = countOf(operand, 'maxLength');
      return onStrings((text) => codePoints(text) <= most);
    },
    minItems: (operand) => {
      const least = countOf(operand, 'minItems');
      return onArrays((elements) => elements.length >= least);
    },
    maxItems: (operand) => {
      const most = countOf(operand, 'maxItems');
      return onArrays((elements) => elements.length <= most);
    },
    uniqueItems: (operand) => onArrays((array) => operand !== true || new ValueSet(array).size === array.length),
    minProperties: (operand) => {
      const least = countOf(operand, 'minProperties');
      return onDocuments((document) => fieldNames(document).length >= least);
    },
    maxProperties: (operand) => {
      const most = countOf(operand, 'maxProperties');
      return onDocuments((document) => fieldNames(document).length <= most);
    },
    allOf: (operand) => {
      const checks = schemasOf(operand, 'allOf');
      return (value) => checks.every((check) => check(value));
    },
    anyOf: (operand) => {
      const checks = schemasOf(operand, 'anyOf');
      return (value) => checks.some((check) => check(value));
    },
    oneOf: (operand) => {
      const checks = schemasOf(operand, 'oneOf');
      return (value) => checks.filter((check) => check(value)).length === 1;
    },
    not: (operand) => {
      const check = compileJsonSchema(operand);
      return (value) => !check(value);
    },
  }),
);
