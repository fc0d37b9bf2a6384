import type { CompileOperator } from '../expression';
import { logicOperators } from './logic';

/** Every expression operator by name. */
export const expressionOperators: ReadonlyMap<string, CompileOperator> = new Map(Object.entries({ ...logicOperators }));
