/** Limit of memory for a batch: its last document may exceed it by its own size, up to 16 MB. */
const mostBytes = 4 * 1024 ** 2;
const mostDocuments = 1000;

/** Documents in batches for one command each. */
export async function* batchesOf(documents: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array[]> {
  let batch: Uint8Array[] = [];
  let bytes = 0;
  for await (const document of documents) {
    batch.push(document);
    bytes += document.length;
    if (bytes < mostBytes && batch.length < mostDocuments) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}
