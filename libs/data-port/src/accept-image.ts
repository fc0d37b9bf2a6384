import { Readable } from 'node:stream';
import { invalidRecord, type PictureType, pictureTypeOf } from '@moothall/contracts';
import type { Upload } from './uploaded-files';

interface ImageRule {
  /** Name of the parameter, for refusals. */
  field: string;
  /** Endings of the types allowed, as `png`. */
  types: string[];
}

export interface Image {
  bytes: Buffer;
  contentType: string;
  /** The name from the upload, without characters that are unsafe in a path or header. */
  filename: string;
}

/** Image types without scripts, so not SVG. */
export const pictures = ['png', 'jpg', 'jpeg', 'gif', 'bmp', 'tif', 'tiff', 'ico', 'webp'];

/**
 * Reads an uploaded image and judges it by its bytes, not by its name or the type that was claimed.
 * @throws common.invalid_record when it is no image of an allowed type; as the upload when it is too large
 */
export async function acceptImage(file: Upload, { field, types }: ImageRule): Promise<Image> {
  const bytes = await file.bytes();
  const found = pictureTypeOf(bytes);
  if (!found || !types.includes(found.ext)) {
    const ending = /\.(\w{1,10})$/.exec(file.filename)?.[1] ?? found?.ext ?? '';
    throw invalidRecord({
      [field]: [`You are not allowed to upload "${ending}" files, allowed types: ${types.join(', ')}`],
    });
  }
  return imageOf(bytes, found, file.filename);
}

export const imageOf = (bytes: Buffer, { mime, ext }: PictureType, filename: string): Image => ({
  bytes,
  contentType: mime,
  filename: safeName(filename, ext),
});

export const streamOf = ({ bytes }: Image): Readable => Readable.from([bytes]);

/** The extension is that of the real type. */
function safeName(filename: string, ending: string): string {
  const stem = filename.replace(/\.[^.]*$/, '').replace(/[^A-Za-z0-9_-]+/g, '_');
  return `${stem.slice(0, 100) || 'image'}.${ending}`;
}
