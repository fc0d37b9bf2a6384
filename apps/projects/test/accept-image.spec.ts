import { imageLimit } from '@moothall/contracts';
import { acceptImage, UploadedFiles } from '@moothall/data-port';
import { ticketKey, UploadStore } from '@moothall/testing';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

describe('images', () => {
  const files = new UploadedFiles(ticketKey);
  let store: UploadStore;
  beforeAll(async () => {
    store = await UploadStore.start();
  });
  afterAll(() => store.stop());

  const accept = async (bytes: Buffer, filename: string) => {
    const upload = files.open(store.add(bytes, filename), imageLimit('logo', 1024));
    return acceptImage(upload, { field: 'logo', types: ['png'] });
  };

  it('have the type of their bytes, and a name that is valid in a path', async () => {
    await expect(accept(png, '../my logo".svg')).resolves.toMatchObject({
      contentType: 'image/png',
      filename: '_my_logo_.png',
    });
  });

  it('are never HTML with scripts, whatever their names', async () => {
    await expect(accept(svg, 'logo.png')).rejects.toThrow(/allowed types: png/);
  });

  // A media file whose boxes have length zero would be read over and over.
  it('are recognized by their first bytes, without a scan', async () => {
    const film = Buffer.alloc(1000);
    Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex').copy(film);
    await expect(accept(film, 'logo.png')).rejects.toThrow(/allowed types: png/);
  });

  it('are not larger than allowed', async () => {
    await expect(accept(Buffer.concat([png, Buffer.alloc(1024)]), 'logo.png')).rejects.toThrow(/too big/);
  });
});
