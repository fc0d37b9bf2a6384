import {
  Access,
  BytesOutput,
  commonErrors,
  definitionOf,
  type ErrorDefinition,
  NoOutput,
  type Operation,
  type Output,
  PageOutput,
  RawOutput,
  type Route,
} from '@moothall/contracts';
import type { z } from 'zod';
import type { Schemas } from './schemas';
import { isOpen } from './security';

type Json = Record<string, unknown>;

const errorSchema = '#/components/schemas/Error';

/**
 * The responses of an operation: its success, and its refusals by status.
 * @param operations one, or those that a parameter selects between
 */
export function describeAnswers(operations: readonly Operation[], route: Route, schemas: Schemas): Json {
  const refused: [number | string, Json][] = [...refusalsByStatus(operations)].map(([status, refusals]) => [
    status,
    isCommon(refusals) ? { $ref: `#/components/responses/${nameOf(refusals)}` } : describeRefusals(refusals),
  ]);
  const outputs = operations.map(({ output }) => output);
  const [output] = outputs;
  if (refused.length === 0 && output instanceof RawOutput) refused.push(['4XX', describeRawRefusal(output)]);
  return { [route.success]: describeSuccess(outputs, schemas), ...Object.fromEntries(refused) };
}

function describeSuccess(outputs: readonly Output[], schemas: Schemas): Json {
  const [output] = outputs;
  if (output instanceof NoOutput) return { description: 'Done; there is no body' };
  if (output instanceof BytesOutput) return { description: 'The bytes', content: { [output.contentType]: binary } };
  if (output instanceof RawOutput) return describeRaw(output);
  const isPage = output instanceof PageOutput;
  const items = outputs.map((one) => schemas.refer((one instanceof PageOutput ? one.item : one) as z.ZodType));
  const item = items.length > 1 ? { anyOf: items } : items[0];
  return {
    description: isPage ? 'A page of them' : 'Success',
    ...(isPage && { headers: pageHeaders }),
    content: { 'application/json': { schema: isPage ? { type: 'array', items: item } : item } },
  };
}

const binary = { schema: { type: 'string', format: 'binary' } };

function describeRaw({ contentType }: RawOutput): Json {
  const isPage = contentType === 'text/html';
  const schema = { type: isPage ? 'string' : 'object' };
  return {
    description: isPage ? 'A page for browsers, or a redirect' : 'Success',
    content: { [contentType]: { schema } },
  };
}

const describeRawRefusal = ({ contentType }: RawOutput): Json =>
  contentType === 'text/html'
    ? { description: 'A page with the error', content: { [contentType]: { schema: { type: 'string' } } } }
    : { description: 'What is wrong', content: { 'application/json': { schema: { $ref: errorSchema } } } };

const header = (description: string, type = 'integer') => ({ description, schema: { type } });
const headers = {
  Link: header('Addresses of the first, previous, next and last page', 'string'),
  'X-Page': header('This page'),
  'X-Per-Page': header('Items on a page'),
  'X-Next-Page': header('The next page; empty on the last', 'string'),
  'X-Prev-Page': header('The previous page; empty on the first', 'string'),
  'X-Total': header('Items in all; absent above 10,000 and in keyset pages'),
  'X-Total-Pages': header('Pages in all; absent above 10,000 items and in keyset pages'),
};
const pageHeaders = Object.fromEntries(
  Object.keys(headers).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

function refusalsByStatus(operations: readonly Operation[]): Map<number, Refusal[]> {
  const byStatus = new Map<number, Refusal[]>();
  const all = operations.flatMap(refusalsOf).map((one) => [`${one.code} ${one.when}`, one] as const);
  for (const refusal of new Map(all).values()) {
    const { status } = refusal.definition;
    byStatus.set(status, [...(byStatus.get(status) ?? []), refusal]);
  }
  return byStatus;
}

/** Refusals that are the same for all operations are in the document once. */
const isCommon = (refusals: Refusal[]): boolean => refusals.every(({ when }) => when === undefined);
const nameOf = (refusals: Refusal[]): string => refusals.map(({ code }) => code).join('-or-');

/** Components of the responses of these operations, besides schemas. */
export function answerComponents(operations: readonly Operation[]): Json {
  const refused = new Map(operations.flatMap(refusalsOf).map(({ code, definition }) => [code, definition]));
  const examples = [...refused].map(([code, definition]) => [
    code,
    { summary: definition.means, value: bodyOf(definition) },
  ]);
  const common = operations.flatMap((one) => [...refusalsByStatus([one]).values()].filter(isCommon));
  const responses = common.map((refusals) => [nameOf(refusals), describeRefusals(refusals)]);
  return { headers, examples: Object.fromEntries(examples), responses: Object.fromEntries(responses) };
}

interface Refusal {
  code: string;
  definition: ErrorDefinition;
  /** Reason, if it is special to the operation. */
  when?: string;
}

/** Refusals by access, limits and parameters, then the operation's own. */
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
  const isBelow = access.on === 'project' || access.on === 'group';
  const needsRight = access.on === 'administrator' || ('level' in access && access.level > Access.None);
  return [
    ...('shape' in input ? [commonErrors.invalidParameters] : []),
    ...(isOpen(access) ? [] : [commonErrors.unauthorized]),
    ...(needsRight ? [commonErrors.forbidden] : []),
    ...(isBelow ? [{ code: `${access.on}.not_found` }] : []),
    ...(limit || limitedBy ? [commonErrors.tooManyRequests] : []),
  ];
}

const describeRefusals = (refusals: Refusal[]): Json => ({
  description: refusals.map(inWords).join('\n\n'),
  content: {
    'application/json': {
      schema: { $ref: errorSchema },
      examples: Object.fromEntries(refusals.map(({ code }) => [code, { $ref: `#/components/examples/${code}` }])),
    },
  },
});

const inWords = ({ definition, when }: Refusal): string =>
  when ? `${definition.means} Here: ${when}.` : definition.means;

function bodyOf({ key = 'message', message }: ErrorDefinition): unknown {
  const isWhole = typeof message === 'object' && !Array.isArray(message) && 'error' in message;
  return isWhole ? message : { [key]: message };
}
