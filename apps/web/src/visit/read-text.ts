import type { PresignedUrl } from '@moothall/contracts';

/** The beginning of a file. */
export interface TextBeginning {
  text: string;
  isCut: boolean;
}

/** Reads at most `limit` bytes of a file, and no more from the service that has it. */
export async function readText({ url }: PresignedUrl, limit: number): Promise<TextBeginning> {
  const response = await fetch(url);
  if (!response.ok || !response.body) throw new Error(`a file was answered with status ${response.status}`);
  const decoder = new TextDecoder();
  let text = '';
  let left = limit;
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk.subarray(0, left), { stream: true });
    // The rest of the body is cancelled when the loop ends.
    if (chunk.byteLength > left) return { text, isCut: true };
    left -= chunk.byteLength;
  }
  return { text: text + decoder.decode(), isCut: false };
}
