import { isUtf8 } from 'node:buffer';

/**
 * File contents, diffs and messages as text: UTF-8 if valid, else the announced encoding, else Latin-1, which accepts
 * every byte.
 */
export function decodeText(bytes: Buffer, announced?: string): string {
  if (announced && !/^utf-?8$/i.test(announced)) {
    try {
      return new TextDecoder(announced).decode(bytes);
    } catch {
      // An unknown encoding is ignored.
    }
  }
  return isUtf8(bytes) ? bytes.toString('utf8') : bytes.toString('latin1');
}

/**
 * File and ref names as text. Names are bytes in git; for names that are not UTF-8 the valid parts stay, and other
 * bytes are escaped as in git, `\351`. So names stay readable and unique, and can be sent in JSON and URLs.
 */
export function decodeName(bytes: Buffer): string {
  return isUtf8(bytes) ? bytes.toString('utf8') : decodeInvalid(bytes);
}

function decodeInvalid(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find((n) => at + n <= bytes.length && isUtf8(bytes.subarray(at, at + n)));
    text += length ? bytes.toString('utf8', at, at + length) : `\\${bytes.readUInt8(at).toString(8).padStart(3, '0')}`;
    at += length ?? 1;
  }
  return text;
}

const ESCAPES: Record<string, number> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13, '"': 34, '\\': 92 };

/** The bytes of a name in git's output: quoted, `"caf\303\251"`, or plain if no quoting is needed. */
export function unquoteName(text: string): Buffer {
  if (!text.startsWith('"')) return Buffer.from(text, 'latin1');
  const bytes: number[] = [];
  for (const [, octal, letter, plain = ''] of text.slice(1, -1).matchAll(/\\([0-7]{3})|\\(.)|([^\\])/gs)) {
    bytes.push(
      octal ? Number.parseInt(octal, 8) : letter ? (ESCAPES[letter] ?? letter.charCodeAt(0)) : plain.charCodeAt(0),
    );
  }
  return Buffer.from(bytes);
}
