import { MongoError } from '../../errors';
import type { CompileOperator } from '../terms/operator';
import { arithmeticOperators } from './arithmetic';
import { arrayOperators } from './array';
import { convertOperators } from './convert';
import { dateOperators } from './date';
import { documentOperators } from './document';
import { logicOperators } from './logic';
import { statisticsOperators } from './statistics';
import { textOperators } from './text';

const refused: CompileOperator = (_operand, _context, name) => {
  throw new MongoError('CommandNotSupported', `the expression ${name} is not supported`);
};

/**
 * Operators of MongoDB that this server does not support: refused by name, so that nobody searches for a typing
 * error.
 */
const unsupported = [
  '$accumulator',
  '$function',
  '$median',
  '$meta',
  '$percentile',
  '$sampleRate',
  '$toHashedIndexKey',
  '$bitNot',
];

/** Every expression operator by name. */
export const expressionOperators: ReadonlyMap<string, CompileOperator> = new Map(
  Object.entries({
    ...Object.fromEntries(unsupported.map((name) => [name, refused])),
    ...logicOperators,
    ...arithmeticOperators,
    ...arrayOperators,
    ...textOperators,
    ...convertOperators,
    ...dateOperators,
    ...documentOperators,
    ...statisticsOperators,
  }),
);
