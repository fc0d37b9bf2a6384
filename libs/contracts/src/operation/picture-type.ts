export interface PictureType {
  /** Ending of its files. */
  ext: string;
  mime: string;
}

const type = (ext: string, mime: string, ...beginnings: string[]) => ({ ext, mime, beginnings });

/** By the first bytes of files, in latin1. */
const types = [
  type('png', 'image/png', '\x89PNG\r\n\x1a\n'),
  type('jpg', 'image/jpeg', '\xff\xd8\xff'),
  type('gif', 'image/gif', 'GIF87a', 'GIF89a'),
  type('bmp', 'image/bmp', 'BM'),
  type('tif', 'image/tiff', 'II*\0', 'MM\0*'),
  type('ico', 'image/x-icon', '\0\0\x01\0'),
];
const webp: PictureType = { ext: 'webp', mime: 'image/webp' };

/**
 * The image type of a file, by its first bytes only. Libraries with hundreds of types parse as far as the file says:
 * a thousand bytes that look like a film kept one of them busy forever.
 */
export function pictureTypeOf(bytes: Buffer): PictureType | undefined {
  const head = bytes.toString('latin1', 0, 12);
  if (head.startsWith('RIFF') && head.endsWith('WEBP')) return webp;
  return types.find(({ beginnings }) => beginnings.some((beginning) => head.startsWith(beginning)));
}
