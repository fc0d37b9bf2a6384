import type { Document, Value } from '../bson/value';

/** Operators that compare a field's values with one operand. */
export type ComparisonOperator = '$eq' | '$gt' | '$gte' | '$lt' | '$lte';

/**
 * A filter as a tree, checked and ready to plan or to compile. `$ne` and `$nin` arrive as `not` around `$eq` and
 * `$in`, implicit conjunctions as `and`. Paths are dotted.
 */
export type FilterNode =
  | { kind: 'and' | 'or' | 'nor'; children: FilterNode[] }
  | { kind: 'not'; child: FilterNode }
  | { kind: 'leaf'; path: string; operator: ComparisonOperator; value: Value }
  | { kind: 'leaf'; path: string; operator: '$in'; value: Value[] }
  | { kind: 'leaf'; path: string; operator: '$exists'; value: boolean }
  | { kind: 'leaf'; path: string; operator: '$regex'; value: { pattern: string; options: string } }
  | { kind: 'leaf'; path: string; operator: '$type'; value: TypeSet }
  | { kind: 'leaf'; path: string; operator: '$size'; value: number }
  | { kind: 'leaf'; path: string; operator: '$mod'; value: { divisor: bigint; remainder: bigint } }
  | { kind: 'leaf'; path: string; operator: BitsOperator; value: bigint }
  /** An array at `path` with one element that matches `child`; the paths of `child` are the element's fields. */
  | { kind: 'elemMatchObject'; path: string; child: FilterNode }
  /** An array at `path` with one element that matches all of `child`, whose paths are empty and mean the element. */
  | { kind: 'elemMatchValue'; path: string; child: FilterNode }
  | { kind: 'expr'; expression: Value }
  | { kind: 'jsonSchema'; schema: Document }
  | { kind: 'always'; value: boolean };

export type BitsOperator = '$bitsAllSet' | '$bitsAnySet' | '$bitsAllClear' | '$bitsAnyClear';

/** The types of `$type`: BSON type numbers, and whether any number matches. */
export interface TypeSet {
  codes: ReadonlySet<number>;
  anyNumber: boolean;
}
