import type { PresignedUrl } from '@moothall/contracts';

/** A part of a file. */
export interface TextPart {
  text: string;
  isCut: boolean;
}

/** Reads at most `limit` bytes of a file, and no more from the service that has it. */
export async function readText(file: PresignedUrl, limit: number): Promise<TextPart> {
  const decoder = new TextDecoder();
  let text = '';
  let left = limit;
  for await (const chunk of bytesOf(file)) {
    text += decoder.decode(chunk.subarray(0, left), { stream: true });
    // The rest of the body is cancelled when the loop ends.
    if (chunk.byteLength > left) return { text, isCut: true };
    left -= chunk.byteLength;
  }
  return { text: text + decoder.decode(), isCut: false };
}

async function* bytesOf({ url }: PresignedUrl): AsyncGenerator<Uint8Array> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`a file was answered with status ${response.status}`);
  if (response.body) yield* response.body as unknown as AsyncIterable<Uint8Array>;
}
