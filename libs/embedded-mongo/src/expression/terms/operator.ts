import type { Document, Value } from '../../bson/value';

/** The variables an expression sees, by name without `$$`. */
export type ExpressionScope = Readonly<Record<string, Value>>;

/** Computes an expression's value for a document; undefined is a missing field. */
export type Evaluate = (root: Document, scope: ExpressionScope) => Value;

/** The environment of compiled operators. */
export interface CompileContext {
  /** User variables in sight, to refuse others early. */
  variables: ReadonlySet<string>;
  compile(expression: Value): Evaluate;
  /** A context in which these variables are in sight too. */
  declaring(names: Iterable<string>): CompileContext;
}

/** One operator: it gets its operand unevaluated, since some (`$let`, `$literal`, `$switch`) are no functions. */
export type CompileOperator = (operand: Value, context: CompileContext, name: string) => Evaluate;
