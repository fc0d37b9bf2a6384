import { Int32, Long } from 'bson';
import { copyDocument, documentOf, fieldNames, hasField, setField } from '../../bson/document';
import { type BsonNumber, integral, toDouble } from '../../bson/number';
import { type Document, isDocument, isNumber, type Value } from '../../bson/value';
import { MongoError } from '../../errors';
import { readPath } from '../../expression/expression';
import { compileFilter } from '../../query/compile-filter';
import { parseFilter } from '../../query/parse-filter';
import { allDocuments, batchesOf, type CompileStage, collect, eachDocument, inBatches, MemoryMeter } from './stage';

export const match: CompileStage = (operand, context) => {
  if (!isDocument(operand)) throw new MongoError(15959, 'the match filter must be an expression in an object');
  const matcher = compileFilter(parseFilter(operand), {
    collation: context.collation,
    variables: context.variables,
    now: context.now,
  });
  return eachDocument((document) => (matcher.matches(document) ? document : undefined));
};

/** @throws 5107201 for other values than integers from 0 on */
function wholeOperand(operand: Value, name: string, least: bigint): number {
  const whole = isNumber(operand) ? integral(operand) : undefined;
  if (whole === undefined)
    throw new MongoError(5107201, `invalid argument to ${name} stage: Expected an integer: ${name}`);
  if (whole < least) {
    if (name === '$limit') throw new MongoError(15958, 'the limit must be positive');
    throw new MongoError(
      5107200,
      `invalid argument to ${name} stage: Expected a non-negative number in: ${name}: ${whole}`,
    );
  }
  return Number(whole);
}

export const limit: CompileStage = (operand) => {
  const most = wholeOperand(operand, '$limit', 1n);
  return async function* (input) {
    let left = most;
    for await (const batch of input) {
      yield batch.length <= left ? batch : batch.slice(0, left);
      left -= batch.length;
      // It stops here, so that nothing more is read than needed.
      if (left <= 0) return;
    }
  };
};

export const skip: CompileStage = (operand) => {
  const count = wholeOperand(operand, '$skip', 0n);
  return async function* (input) {
    let left = count;
    for await (const batch of input) {
      if (batch.length > left) yield left === 0 ? batch : batch.slice(left);
      left = Math.max(0, left - batch.length);
    }
  };
};

export const count: CompileStage = (operand) => {
  if (typeof operand !== 'string') throw new MongoError(40156, 'the count field must be a non-empty string');
  if (operand === '') throw new MongoError(40157, 'the count field must be a non-empty string');
  if (operand.startsWith('$')) throw new MongoError(40158, 'the count field cannot be a $-prefixed path');
  if (operand.includes('.')) throw new MongoError(40160, "the count field cannot contain '.'");
  return allDocuments(async (input) => {
    let total = 0;
    for await (const batch of input) total += batch.length;
    if (total === 0) return [];
    return [documentOf([[operand, total <= 0x7fffffff ? new Int32(total) : Long.fromNumber(total)]])];
  });
};

export const sample: CompileStage = (operand, context) => {
  if (!isDocument(operand)) throw new MongoError(28745, 'the $sample stage specification must be an object');
  if (!isNumber(operand.size)) throw new MongoError(28746, 'size argument to $sample must be a number');
  const size = toDouble(operand.size as BsonNumber);
  if (size <= 0) throw new MongoError(28747, 'size argument to $sample must be a positive integer');
  return allDocuments(async (input) => {
    const chosen: Document[] = [];
    const meter = new MemoryMeter('$sample', context);
    let seen = 0;
    for await (const batch of input) {
      for (const document of batch) {
        seen++;
        const place = chosen.length < size ? chosen.length : Math.floor(Math.random() * seen);
        if (place >= size) continue;
        if (place === chosen.length) meter.add(document);
        chosen[place] = document;
      }
    }
    return shuffled(chosen);
  }, context);
};

function shuffled(documents: Document[]): Document[] {
  for (let index = documents.length - 1; index > 0; index--) {
    const other = Math.floor(Math.random() * (index + 1));
    [documents[index], documents[other]] = [documents[other] as Document, documents[index] as Document];
  }
  return documents;
}

interface Unwinding {
  parts: string[];
  indexField: string | undefined;
  keepsEmpty: boolean;
}

export const unwind: CompileStage = (operand, context) => {
  const unwinding = parseUnwind(operand);
  return async function* (input) {
    for await (const batch of input) {
      yield* inBatches(
        batch.flatMap((document) => unwound(document, unwinding)),
        context,
      );
    }
  };
};

function parseUnwind(operand: Value): Unwinding {
  const spec = isDocument(operand) ? operand : { path: operand };
  const { path, includeArrayIndex, preserveNullAndEmptyArrays } = spec;
  if (typeof path !== 'string') throw new MongoError(28808, 'expected a string as the path for $unwind stage');
  if (!path.startsWith('$') || path.length < 2) {
    throw new MongoError(28818, `path option to $unwind stage should be prefixed with a '$': ${path}`);
  }
  if (hasField(spec, 'includeArrayIndex') && (typeof includeArrayIndex !== 'string' || includeArrayIndex === '')) {
    throw new MongoError(28810, 'expected a non-empty string for the includeArrayIndex option to $unwind stage');
  }
  if (typeof includeArrayIndex === 'string' && includeArrayIndex.startsWith('$')) {
    throw new MongoError(28822, "includeArrayIndex option to $unwind stage should not be prefixed with a '$'");
  }
  const unknown = fieldNames(spec).find(
    (name) => !['path', 'includeArrayIndex', 'preserveNullAndEmptyArrays'].includes(name),
  );
  if (unknown) throw new MongoError(28811, `unrecognized option to $unwind stage: ${unknown}`);
  return {
    parts: path.slice(1).split('.'),
    indexField: includeArrayIndex as string | undefined,
    keepsEmpty: preserveNullAndEmptyArrays === true,
  };
}

function unwound(document: Document, { parts, indexField, keepsEmpty }: Unwinding): Document[] {
  const value = isThroughArray(document, parts) ? undefined : readPath(document, parts, 0);
  const indexed = (result: Document, index: Value): Document => {
    return indexField === undefined ? result : withField(result, indexField.split('.'), index);
  };
  if (Array.isArray(value) && value.length > 0) {
    return value.map((element, index) => indexed(withField(document, parts, element), Long.fromNumber(index)));
  }
  if (value !== undefined && value !== null && !Array.isArray(value)) return [indexed(document, null)];
  if (!keepsEmpty) return [];
  return [indexed(Array.isArray(value) ? withField(document, parts, undefined) : document, null)];
}

/** Arrays on the path are not traversed: there is no single array to unwind. */
function isThroughArray(document: Document, parts: string[]): boolean {
  return parts.slice(0, -1).some((_, index) => Array.isArray(readPath(document, parts.slice(0, index + 1), 0)));
}

/** A copy with that value of the field, or without it for undefined. */
export function withField(document: Document, parts: readonly string[], value: Value): Document {
  const [first, ...rest] = parts as [string, ...string[]];
  const inner = document[first];
  const next = rest.length === 0 ? value : withField(isDocument(inner) ? inner : {}, rest, value);
  if (next === undefined) {
    return documentOf(
      fieldNames(document)
        .filter((name) => name !== first)
        .map((name) => [name, document[name]]),
    );
  }
  const copy = copyDocument(document);
  setField(copy, first, next);
  return copy;
}

export const facet: CompileStage = (operand, context) => {
  if (!isDocument(operand) || fieldNames(operand).length === 0) {
    throw new MongoError(40169, 'the $facet specification must be a non-empty object');
  }
  const forbidden = new Set(['$facet', '$out', '$merge', '$geoNear', '$indexStats', '$collStats', '$changeStream']);
  const pipelines = fieldNames(operand).map((name) => {
    const stages = operand[name];
    if (!Array.isArray(stages)) throw new MongoError(40170, `arguments to $facet must be arrays, ${name} is not`);
    const bad = stages
      .filter(isDocument)
      .flatMap(fieldNames)
      .find((stage) => forbidden.has(stage));
    if (bad) throw new MongoError(40600, `${bad} is not allowed to be used within a $facet stage`);
    return { name, run: context.compilePipeline(stages) };
  });
  return allDocuments(async (input) => {
    const documents = await collect(input, new MemoryMeter('$facet', context));
    const result = documentOf([]);
    for (const { name, run } of pipelines) {
      setField(result, name, await collect(run(batchesOf([...documents])), new MemoryMeter('$facet', context)));
    }
    return [result];
  });
};
