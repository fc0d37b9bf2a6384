import {
  Access,
  BytesOutput,
  commonErrors,
  definitionOf,
  type ErrorDefinition,
  NoOutput,
  type Operation,
  PageOutput,
  RawOutput,
  type Route,
} from '@moothall/contracts';
import { resourceOf } from './example-input';
import { exampleOf, type Schema } from './example-of';
import type { Schemas } from './schemas';

type Json = Record<string, unknown>;

/** What an operation answers: its success, and its refusals by status. */
export function describeAnswers(operation: Operation, route: Route, schemas: Schemas): Json {
  const byStatus = new Map<number, Refusal[]>();
  for (const refusal of refusalsOf(operation)) {
    const { status } = refusal.definition;
    byStatus.set(status, [...(byStatus.get(status) ?? []), refusal]);
  }
  const refused = [...byStatus].map(([status, refusals]) => [status, describeRefusals(refusals)]);
  return { [route.success]: describeSuccess(operation, schemas), ...Object.fromEntries(refused) };
}

function describeSuccess(operation: Operation, schemas: Schemas): Json {
  const { output } = operation;
  if (output instanceof NoOutput) return { description: 'Done; there is no body' };
  if (output instanceof BytesOutput) return { description: 'The bytes', content: { [output.contentType]: {} } };
  if (output instanceof RawOutput) return describeRaw(output);
  const isPage = output instanceof PageOutput;
  const item = schemas.describe(isPage ? output.item : output);
  const one = exampleOf(item.inline as Schema, resourceOf(operation), resourceOf(operation));
  const schema = isPage ? { type: 'array', items: item.reference } : item.reference;
  return {
    description: isPage ? 'A page of them' : 'Success',
    ...(isPage && { headers: pageHeaders }),
    content: { 'application/json': { schema, example: isPage ? [one] : one } },
  };
}

function describeRaw({ contentType }: RawOutput): Json {
  const isPage = contentType === 'text/html';
  const schema = { type: isPage ? 'string' : 'object' };
  return {
    description: isPage ? 'A page for browsers, or a redirect' : 'Success',
    content: { [contentType]: { schema } },
  };
}

const header = (description: string, type = 'integer') => ({ description, schema: { type } });
const pageHeaders = {
  Link: header('Addresses of the first, previous, next and last page', 'string'),
  'X-Page': header('This page'),
  'X-Per-Page': header('Items on a page'),
  'X-Next-Page': header('The next page; empty on the last', 'string'),
  'X-Prev-Page': header('The previous page; empty on the first', 'string'),
  'X-Total': header('Items in all; absent above 10,000 and in keyset pages'),
  'X-Total-Pages': header('Pages in all; absent above 10,000 items and in keyset pages'),
};

interface Refusal {
  code: string;
  definition: ErrorDefinition;
  /** When, where that is special to the operation. */
  when?: string;
}

/** What follows from access, limits and parameters, and then what is the operation's own. */
function refusalsOf(operation: Operation): Refusal[] {
  const own = (operation.refusals ?? []).map((refusal) => {
    const [code = '', ...when] = refusal.split(' ');
    return { code, definition: definitionOf(code), ...(when.length > 0 && { when: when.join(' ') }) };
  });
  const known = new Set(own.map(({ code }) => code));
  const common = commonRefusals(operation).filter(({ code }) => !known.has(code));
  return [...common.map(({ code }) => ({ code, definition: definitionOf(code) })), ...own];
}

function commonRefusals({ access, input, output, limit, limitedBy }: Operation): { code: string }[] {
  if (output instanceof RawOutput) return [];
  const isOpen = access.on === 'anyone' || ('anonymous' in access && access.anonymous);
  const isBelow = access.on === 'project' || access.on === 'group';
  const needsRight = access.on === 'administrator' || ('level' in access && access.level > Access.None);
  return [
    ...('shape' in input ? [commonErrors.invalidParameters] : []),
    ...(isOpen ? [] : [commonErrors.unauthorized]),
    ...(needsRight ? [commonErrors.forbidden] : []),
    ...(isBelow ? [{ code: `${access.on}.not_found` }] : []),
    ...(limit || limitedBy ? [commonErrors.tooManyRequests] : []),
  ];
}

const describeRefusals = (refusals: Refusal[]): Json => ({
  description: refusals.map(inWords).join('\n\n'),
  content: {
    'application/json': {
      schema: { $ref: '#/components/schemas/Error' },
      examples: Object.fromEntries(refusals.map(({ code, definition }) => [code, { value: bodyOf(definition) }])),
    },
  },
});

const inWords = ({ definition, when }: Refusal): string =>
  when ? `${definition.means} Here: ${when}.` : definition.means;

function bodyOf({ key = 'message', message }: ErrorDefinition): unknown {
  const isWhole = typeof message === 'object' && !Array.isArray(message) && 'error' in message;
  return isWhole ? message : { [key]: message };
}
