/** Limits of one request; checked before any call to a service. See docs/api/graphql.md#3. */
export const graphqlLimits = {
  /** Characters of one document. */
  characters: 10_000,
  /** Documents in one request. */
  documents: 10,
  depth: 20,
  /** Nesting of brackets, including those of values. */
  brackets: 100,
  /** Fields of a document with expanded fragments. */
  fields: 1_000,
  complexity: { anonymous: 200, signedIn: 250 },
  /** Calls to services, over all documents of a request. */
  questions: 150,
  /** Values in the response, over all documents of a request, counted as if every list were full. */
  values: 50_000,
  /** Items of a page. */
  page: 100,
  /** Names or numbers that a filter lists. */
  listed: 20,
  /** Concurrent calls of a request. */
  atOnce: 6,
  /** Bytes of the services' answers for a request. */
  bytes: 16 * 1024 * 1024,
  /** Time limit of a request. */
  seconds: 30,
};

/** A limit that is exceeded while fields are resolved; the message is for the client. */
export class LimitExceeded extends Error {}
