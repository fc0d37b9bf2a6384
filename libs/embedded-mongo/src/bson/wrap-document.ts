/** The type of a document within another one. */
const documentType = 0x03;

/**
 * Creates a function that puts a document, as bytes, into another one.
 * @param fields in their order, each with the encoded document that it is the only field of, or undefined where the
 * document goes
 */
export function wrapper(fields: [name: string, encoded: Buffer | undefined][]): (bytes: Buffer) => Buffer {
  const parts = fields.map(([name, encoded]) =>
    encoded
      ? { before: encoded.subarray(4, -1), isDocument: false }
      : { before: Buffer.from([documentType, ...Buffer.from(name), 0]), isDocument: true },
  );
  const around = parts.reduce((sum, { before }) => sum + before.length, 5);
  const documents = parts.filter(({ isDocument }) => isDocument).length;
  return (bytes) => {
    const wrapped = Buffer.allocUnsafe(around + documents * bytes.length);
    let position = wrapped.writeInt32LE(wrapped.length, 0);
    for (const { before, isDocument } of parts) {
      position += before.copy(wrapped, position);
      if (isDocument) position += bytes.copy(wrapped, position);
    }
    wrapped[position] = 0;
    return wrapped;
  };
}
