import { present } from './present';
/** Body of an error: `message` or `error`, text or messages by attribute. See docs/api/answers.md#3. */
export type ErrorMessage = string | string[] | Record<string, string[] | string | Record<string, string[]>>;

export interface ErrorDefinition {
  /** HTTP status of the answer. */
  status: number;
  /** Public text, as `message`, or as `error` if `key` says so. */
  message: ErrorMessage;
  /** The key of the text in the body. */
  key?: 'message' | 'error';
  /** Its meaning, for readers of the API reference and of the log. */
  means: string;
}

/** An error as it travels over NATS: a plain value, no stack, no HTTP. */
export interface ErrorValue {
  code: string;
  /** Replaces the public text of the table, for texts that name the culprit. */
  message?: ErrorMessage;
  /** Further keys of the body, such as the scopes that would do. */
  details?: Record<string, string>;
  /** When a limit allows requests again. */
  retryAfterSeconds?: number;
}

/** Thrown by operations; services reply with its value and the gateway finds the answer in the table. */
export class OperationError extends Error {
  override name = 'OperationError';

  constructor(readonly value: ErrorValue) {
    super(`${value.code}${value.message ? `: ${JSON.stringify(value.message)}` : ''}`);
  }

  get code(): string {
    return this.value.code;
  }
}

const table = new Map<string, ErrorDefinition>();

/** Every error by its code, as `access_request.not_found`. */
export const errorTable: ReadonlyMap<string, ErrorDefinition> = table;

/** @throws if it is not declared: contracts name only declared errors */
export const definitionOf = (code: string): ErrorDefinition => present(table.get(code), `the error ${code}`);

type Thrower = ((message?: ErrorMessage) => OperationError) & { code: string };

/**
 * Declares the errors of an area and returns a maker for each.
 * @example throw accessRequestErrors.notFound()
 */
export function errors<T extends Record<string, ErrorDefinition>>(
  area: string,
  definitions: T,
): { [K in keyof T]: Thrower } {
  const makers = Object.entries(definitions).map(([name, definition]) => {
    const code = `${area}.${name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
    if (table.has(code)) throw new Error(`The error ${code} is declared twice`);
    table.set(code, definition);
    const make = (message?: ErrorMessage) => new OperationError(message === undefined ? { code } : { code, message });
    return [name, Object.assign(make, { code })];
  });
  return Object.fromEntries(makers);
}

/** The public text of an error in one line, for answers with several errors. */
export function wordsOf({ value }: OperationError): string {
  const message = value.message ?? table.get(value.code)?.message ?? value.code;
  if (typeof message === 'string') return message;
  if (Array.isArray(message)) return message.join(', ');
  return Object.entries(message)
    .map(([field, problems]) => `${field} ${[problems].flat().join(', ')}`)
    .join(', ');
}

/** Whether `error` was created by `maker`. */
export function isError(error: unknown, maker: { code: string }): error is OperationError {
  return error instanceof OperationError && error.code === maker.code;
}

/** Errors of every area. See docs/api/answers.md#3. */
export const commonErrors = errors('common', {
  badRequest: { status: 400, message: '400 Bad request', means: 'The request is invalid.' },
  invalidParameters: {
    status: 400,
    key: 'error',
    message: 'parameters are invalid',
    means: 'Declared parameters are missing or of the wrong form; the text names each.',
  },
  invalidRecord: {
    status: 400,
    message: { base: ['is invalid'] },
    means: 'The record breaks a rule; messages by attribute.',
  },
  unauthorized: { status: 401, message: '401 Unauthorized', means: 'No credential, or none that is known.' },
  forbidden: { status: 403, message: '403 Forbidden', means: 'The user may not do this.' },
  notFound: { status: 404, message: '404 Not found', means: 'No such record, or none the caller may see.' },
  noRoute: { status: 404, key: 'error', message: '404 Not Found', means: 'The interface has no such path.' },
  wrongMethod: {
    status: 405,
    key: 'error',
    message: '405 Not Allowed',
    means: 'The path takes other methods; Allow names them.',
  },
  methodNotAllowed: {
    status: 405,
    message: '405 Method Not Allowed',
    means: 'The state of the record does not allow this.',
  },
  notAcceptable: { status: 406, message: '406 Not Acceptable', means: 'The answer asked for cannot be given.' },
  otherFormat: {
    status: 406,
    key: 'error',
    message: 'The requested format is not supported.',
    means: 'The path ends in a format; answers are JSON.',
  },
  conflict: { status: 409, message: '409 Conflict', means: 'Another record is in the way.' },
  requestTimeout: { status: 408, message: '408 Request Timeout', means: 'The body comes too slowly.' },
  gone: {
    status: 410,
    key: 'error',
    message: 'API V3 is no longer supported. Use API V4 instead.',
    means: 'The path belongs to a removed API.',
  },
  preconditionFailed: {
    status: 412,
    message: '412 Precondition Failed',
    means: 'The record changed after If-Unmodified-Since.',
  },
  tooLarge: { status: 413, message: '413 Request Entity Too Large', means: 'The body is over the limit.' },
  unsupportedMediaType: {
    status: 415,
    key: 'error',
    message: 'The provided content-type is not supported.',
    means: 'The body is of a type that the interface does not take.',
  },
  unprocessable: { status: 422, message: '422 Unprocessable Entity', means: 'Understood, but it cannot be done.' },
  tooManyRequests: {
    status: 429,
    message: { error: 'This endpoint has been requested too many times. Try again later.' },
    means: 'A rate limit of this operation was reached.',
  },
  retryLater: {
    status: 429,
    message: 'Retry later',
    means: 'A limit of the instance was reached; the answer is text.',
  },
  internal: { status: 500, message: '500 Internal Server Error', means: 'A fault of the server; the log has it.' },
  diskFull: {
    status: 507,
    message: '507 Insufficient Storage',
    means: 'A disk of the server is full; the request was not carried out.',
  },
  unavailable: { status: 503, message: '503 Service Unavailable', means: 'No service is available to answer.' },
  timeout: { status: 504, message: '504 Gateway Timeout', means: 'The service did not answer in time.' },
});

/** A record that breaks rules, as `invalidRecord({ title: ["can't be blank"] })`. */
export const invalidRecord = (messages: Record<string, string[]>): OperationError =>
  commonErrors.invalidRecord(messages);

/** Parameters that break a declared rule, as `invalidParameters('scope does not have a valid value')`. */
export const invalidParameters = (...problems: string[]): OperationError =>
  commonErrors.invalidParameters(problems.join(', '));

/** A parent record that is missing or hidden, as `namedNotFound('Project')` for `404 Project Not Found`. */
export const namedNotFound = (name: string): OperationError => commonErrors.notFound(`404 ${name} Not Found`);

/** No right, with the reason shown after a dash. */
export const forbidden = (reason?: string): OperationError =>
  reason ? commonErrors.forbidden(`403 Forbidden - ${reason}`) : commonErrors.forbidden();

const passing: readonly { code: string }[] = [commonErrors.unavailable, commonErrors.timeout, commonErrors.internal];

/** Whether a retry may succeed: an unavailable service returns; other answers stay the same. */
export const isPassing = (error: unknown): boolean => passing.some((maker) => isError(error, maker));
