/**
 * The MongoDB error codes of this server, and their names. Drivers and Mongoose depend on them, so number and name
 * are wire format. Numbers above 10,000 have no name: MongoDB calls them `Location<code>`.
 * @see https://www.mongodb.com/docs/manual/reference/error-codes/
 */
export const errorCodes = {
  InternalError: 1,
  BadValue: 2,
  GraphContainsCycle: 5,
  FailedToParse: 9,
  UserNotFound: 11,
  UnsupportedFormat: 12,
  Unauthorized: 13,
  TypeMismatch: 14,
  Overflow: 15,
  InvalidLength: 16,
  ProtocolError: 17,
  AuthenticationFailed: 18,
  IllegalOperation: 20,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  ConflictingUpdateOperators: 40,
  CursorNotFound: 43,
  NamespaceExists: 48,
  MaxTimeMSExpired: 50,
  DollarPrefixedFieldName: 52,
  InvalidIdField: 53,
  NotSingleValueField: 54,
  EmptyFieldName: 56,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  IndexAlreadyExists: 68,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  OperationFailed: 96,
  DocumentValidationFailure: 121,
  CommandNotSupported: 115,
  ConflictingOperationInProgress: 117,
  InvalidPipelineOperator: 168,
  CannotIndexParallelArrays: 171,
  InvalidIndexSpecificationOption: 197,
  ExceededMemoryLimit: 292,
  InvalidBSON: 22,
  ConversionFailure: 241,
  QueryExceededMemoryLimitNoDiskUseAllowed: 292,
  BSONObjectTooLarge: 10334,
  DuplicateKey: 11000,
  OutOfDiskSpace: 14031,
} as const;

export type ErrorName = keyof typeof errorCodes;

/** Fields of an error besides code and text, for example `keyPattern` and `keyValue`. */
export type ErrorDetails = Record<string, unknown>;

const namesByCode = new Map<number, string>(Object.entries(errorCodes).map(([name, code]) => [code, name]));

/** An error that is sent to the client: `{ ok: 0, code, codeName, errmsg, ...details }`. */
export class MongoError extends Error {
  readonly code: number;
  readonly codeName: string;
  readonly details: ErrorDetails;

  /** @param code a name of the table above, or the number of a `Location` error */
  constructor(code: ErrorName | number, message: string, details: ErrorDetails = {}) {
    super(message);
    this.name = 'MongoError';
    this.code = typeof code === 'number' ? code : errorCodes[code];
    this.codeName = typeof code === 'string' ? code : (namesByCode.get(code) ?? `Location${code}`);
    this.details = details;
  }
}
