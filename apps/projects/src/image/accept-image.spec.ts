import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { acceptImage } from './accept-image';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');

describe('images', () => {
  let server: Server;
  let body: Buffer = png;
  beforeAll((done) => {
    server = createServer((_, response) => response.end(body)).listen(0, '127.0.0.1', done);
  });
  afterAll((done) => {
    server.close(done);
    server.closeAllConnections();
  });

  const accept = (bytes: Buffer, filename: string) => {
    body = bytes;
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const file = { url, filename, contentType: 'image/png', sizeBytes: bytes.length };
    return acceptImage(file, { field: 'logo', maxBytes: 1024, types: ['png'] });
  };

  it('are what their bytes say, under a name that can stand in a path', async () => {
    await expect(accept(png, '../my logo".svg')).resolves.toMatchObject({
      contentType: 'image/png',
      filename: '_my_logo_.png',
    });
  });

  it('are no pages with script, whatever they are called', async () => {
    await expect(accept(svg, 'logo.png')).rejects.toThrow(/allowed types: png/);
  });

  it('are not larger than allowed', async () => {
    await expect(accept(Buffer.concat([png, Buffer.alloc(1024)]), 'logo.png')).rejects.toThrow(/too big/);
  });
});
