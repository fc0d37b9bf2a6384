import { randomBytes } from 'node:crypto';
import { UPLOADS } from './page-path';

/** A file that pages link to. */
export interface Attachment {
  fileName: string;
  /** `uploads/<32 hex>/<name>`: hard to guess, and free of collisions. */
  filePath: string;
  /** The link for a page: images, audio and video are embedded. */
  markdown: string;
}

const SHOWN_IN_PLACE = /\.(png|jpe?g|gif|bmp|tiff|ico|webp|svg|mp4|m4v|mov|webm|ogv|mp3|oga|ogg|spx|wav)$/i;
const MAX_NAME_BYTES = 200;

/**
 * The path of an uploaded file. Only the last segment of the client's name is used, with letters and digits of all
 * scripts, and other characters only if they are harmless.
 */
export function placeAttachment(clientName: string): Attachment {
  const fileName = safeName(clientName);
  const filePath = `${UPLOADS}/${randomBytes(16).toString('hex')}/${fileName}`;
  const markdown = SHOWN_IN_PLACE.test(fileName)
    ? `![${fileName.replace(/\.[^.]*$/, '')}](${filePath})`
    : `[${fileName}](${filePath})`;
  return { fileName, filePath, markdown };
}

function safeName(clientName: string): string {
  const last = clientName.split(/[/\\]/).pop() ?? '';
  const plain = shortened(last.normalize('NFC').replace(/[^\p{L}\p{M}\p{N}\p{Pc}.+-]/gu, '_'));
  if (/^\.*$/.test(plain)) return 'file';
  return /^\.?git(~|$)/i.test(plain) ? `_${plain}` : plain;
}

/** Its end, which has the extension, without cutting a character. */
function shortened(name: string): string {
  let kept = '';
  let bytes = 0;
  for (const character of [...name].reverse()) {
    bytes += Buffer.byteLength(character);
    if (bytes > MAX_NAME_BYTES) break;
    kept = character + kept;
  }
  return kept;
}
