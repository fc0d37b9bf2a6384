/** What is held in memory at once: the last document of a batch may take it beyond this by its own size, 16 MB. */
const mostBytes = 4 * 1024 ** 2;
const mostDocuments = 1000;

/** Documents by the batch, as many as are moved by one command. */
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
