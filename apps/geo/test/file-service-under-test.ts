import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CopiedFile,
  type CopiedFileContracts,
  type FileKind,
  fileContractsOf,
  fileKinds,
  geoErrors,
  type InputOf,
  type OperationError,
} from '@moothall/contracts';
import { refusalHeader } from '@moothall/data-port';
import type { TestBed } from '@moothall/testing';

const hashed = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

type Kept = CopiedFile & { bytes: Buffer };

/** Stubs of services that store files, in memory; their data port is one HTTP server. */
export async function startFileService(under: TestBed) {
  const records = new Map<FileKind, Map<string, Kept>>(fileKinds.map((kind) => [kind, new Map()]));
  const copies = new Map<string, Buffer>();
  const keeper = { records, copies, isFull: false, puts: 0, inObjectStorage: false };
  const server = createServer(async (request, response) => {
    const refuse = ({ value }: OperationError) =>
      response.writeHead(422, { [refusalHeader]: JSON.stringify(value) }).end();
    const [, what, encoded = ''] = (request.url ?? '').split('/');
    const { key, size, sha256 } = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    if (what === 'read') {
      const bytes = [...records.values()]
        .flatMap((files) => [...files.values()])
        .find((file) => file.key === key)?.bytes;
      const found = copies.get(key) ?? bytes;
      return found?.length ? response.writeHead(200).end(found) : refuse(geoErrors.fileMissing());
    }
    keeper.puts += 1;
    const bytes = Buffer.concat(await request.toArray());
    const isSame = (size === null || bytes.length === size) && (sha256 === null || hashed(bytes) === sha256);
    if (!isSame || keeper.isFull) return refuse(geoErrors.fileDiffers());
    copies.set(key, bytes);
    return response.writeHead(200).end(JSON.stringify({ size: bytes.length, sha256: hashed(bytes) }));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = (what: string, args: object) => ({
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${what}/${Buffer.from(JSON.stringify(args)).toString('base64url')}`,
  });
  const list = ({ kind, id, id_after, newest, limit = 100 }: InputOf<CopiedFileContracts['list']>) => {
    const all = [...(records.get(kind)?.values() ?? [])].toSorted((a, b) => Number(a.id) - Number(b.id));
    const files = newest ? all.toReversed() : all.filter((file) => Number(file.id) > Number(id_after ?? 0));
    const wanted = id === undefined ? files : all.filter((file) => String(file.id) === String(id));
    return {
      files: wanted.slice(0, limit).map(({ bytes: _, ...file }) => file),
      in_object_storage: keeper.inObjectStorage,
    };
  };
  for (const each of new Set(Object.values(fileContractsOf))) {
    under.respond(each.list, list);
    under.respond(each.read, (input) => address('read', input) as never);
    under.respond(each.receive, (input) => address('put', input) as never);
    under.respond(each.remove, ({ key }) => {
      copies.delete(key);
    });
  }
  return Object.assign(keeper, {
    add(kind: FileKind, id: number, content: string, given: Partial<Kept> = {}): Kept {
      const bytes = Buffer.from(content);
      const facts = { size: bytes.length, sha256: hashed(bytes), project_ids: [] };
      const file: Kept = { id, key: `${kind}/${id}`, ...facts, bytes, ...given };
      records.get(kind)?.set(String(id), file);
      return file;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}
