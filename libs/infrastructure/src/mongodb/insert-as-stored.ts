import { type Db, MongoServerError } from 'mongodb';

/** What the driver itself sends batches of encoded documents with; its types leave it out. */
const { DocumentSequence } = require('mongodb/lib/cmap/commands') as {
  DocumentSequence: new (field: string) => { push(document: object, bytes: Uint8Array): number };
};

/**
 * Inserts documents as the bytes that another server has of them. `insertMany` would encode them again from JavaScript,
 * which has fields that are named like numbers first, and no dates beyond its own.
 * @throws MongoServerError for the first that is refused; the others are there
 */
export async function insertAsStored(
  database: Db,
  collection: string,
  documents: readonly Uint8Array[],
): Promise<void> {
  const sequence = new DocumentSequence('documents');
  for (const bytes of documents) sequence.push({}, bytes);
  const { writeErrors, writeConcernError } = await database.command({
    insert: collection,
    documents: sequence,
    ordered: false,
    bypassDocumentValidation: true,
    writeConcern: { w: 'majority' },
  });
  const refusal = writeErrors?.[0] ?? writeConcernError;
  if (refusal) throw new MongoServerError(refusal);
}
