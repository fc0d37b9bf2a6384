import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { UploadedFile } from '@moothall/contracts';

/** Stands in for the gateway's spool: uploaded files by address. */
export interface FileServer {
  add(bytes: Buffer, filename: string): UploadedFile;
  stop(): Promise<void>;
}

export async function startFileServer(): Promise<FileServer> {
  const files = new Map<string, Buffer>();
  const server = createServer((request, response) => {
    const bytes = files.get(request.url ?? '');
    response.writeHead(bytes ? 200 : 404).end(bytes);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    add(bytes, filename) {
      const path = `/${files.size}`;
      files.set(path, bytes);
      const url = `http://127.0.0.1:${port}${path}`;
      return { url, filename, contentType: 'application/octet-stream', sizeBytes: bytes.length };
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
