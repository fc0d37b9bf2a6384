import { Readable } from 'node:stream';
import { invalidRecord, type UploadedFile } from '@moothall/contracts';
import { fromBuffer } from 'file-type';

interface ImageRule {
  /** Name of the parameter, for refusals. */
  field: string;
  maxBytes: number;
  /** Endings of the types allowed, as `png`. */
  types: string[];
}

export interface Image {
  bytes: Buffer;
  contentType: string;
  /** As the uploader called it, without what a path or header could trip over. */
  filename: string;
}

/** Pictures without script: SVG is none of them. */
export const pictures = ['png', 'jpg', 'jpeg', 'gif', 'bmp', 'tif', 'tiff', 'ico', 'webp'];

/**
 * Fetches an uploaded image and judges it by its bytes, not by its name or the type that was claimed.
 * @throws common.invalid_record when it is too large or no image of an allowed type
 */
export async function acceptImage(file: UploadedFile, { field, maxBytes, types }: ImageRule): Promise<Image> {
  if (file.sizeBytes > maxBytes) {
    throw invalidRecord({ [field]: [`is too big (should be at most ${maxBytes / 1024} KB)`] });
  }
  const bytes = Buffer.from(await (await fetch(file.url)).arrayBuffer());
  const found = await fromBuffer(bytes);
  if (!found || !types.includes(found.ext)) {
    const ending = /\.(\w{1,10})$/.exec(file.filename)?.[1] ?? found?.ext ?? '';
    throw invalidRecord({
      [field]: [`You are not allowed to upload "${ending}" files, allowed types: ${types.join(', ')}`],
    });
  }
  return { bytes, contentType: found.mime, filename: safeName(file.filename, found.ext) };
}

export const streamOf = ({ bytes }: Image): Readable => Readable.from([bytes]);

/** The name ends in what the file is. */
function safeName(filename: string, ending: string): string {
  const stem = filename.replace(/\.[^.]*$/, '').replace(/[^A-Za-z0-9_-]+/g, '_');
  return `${stem.slice(0, 100) || 'image'}.${ending}`;
}
