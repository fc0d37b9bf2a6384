import { type Db, MongoServerError } from 'mongodb';

/** The driver's own function for batches of encoded documents, which its types omit. */
const { DocumentSequence } = require('mongodb/lib/cmap/commands') as {
  DocumentSequence: new (field: string) => { push(document: object, bytes: Uint8Array): number };
};

/**
 * Inserts documents as bytes of another server. `insertMany` would encode them again from JavaScript, which orders
 * fields with numeric names first, and has a smaller range of dates.
 * @throws MongoServerError for the first refused one; the others are inserted
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
