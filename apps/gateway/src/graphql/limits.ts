/** What one request may ask for; looked at before anything is asked of a service. See docs/api/graphql.md#3. */
export const graphqlLimits = {
  /** Characters of one document. */
  characters: 10_000,
  /** Documents in one request. */
  documents: 10,
  depth: 20,
  /** Brackets in each other, those of values included. */
  brackets: 100,
  /** Fields of a document with its fragments in place. */
  fields: 1_000,
  complexity: { anonymous: 200, signedIn: 250 },
  /** Operations that services are asked, all documents of a request together. */
  questions: 150,
  /** Values in an answer, all documents of a request together, counted as if every list were full. */
  values: 50_000,
  /** Items of a page. */
  page: 100,
  /** Names or numbers that a filter lists. */
  listed: 20,
  /** Operations that are under way for a request at the same time. */
  atOnce: 6,
  /** Bytes that services answer for a request. */
  bytes: 16 * 1024 * 1024,
  /** How long a request may take. */
  seconds: 30,
};

/** Says to a client what it may not ask for; it is found out while fields are answered. */
export class LimitExceeded extends Error {}
