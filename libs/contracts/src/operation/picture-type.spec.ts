import { pictureTypeOf } from './picture-type';

describe('pictures', () => {
  it.each([
    ['jpg', '\xff\xd8\xff\xe0'],
    ['gif', 'GIF89a'],
    ['bmp', 'BM'],
    ['tif', 'MM\0*'],
    ['ico', '\0\0\x01\0'],
    ['webp', 'RIFF\0\0\0\0WEBP'],
  ])('are %s when they begin as one', (ext, beginning) => {
    expect(pictureTypeOf(Buffer.from(`${beginning} and more`, 'latin1'))).toMatchObject({ ext });
    expect(pictureTypeOf(Buffer.from(` ${beginning}`, 'latin1'))).toBeUndefined();
  });
});
