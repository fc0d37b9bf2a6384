import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { pack } from 'tar-stream';
import { maxRowBytes } from '../../archive/archive-files';
import { formatVersion } from './archive-format';
import { readArchive } from './read-archive';

const manifestOf = (bytes: number): string =>
  JSON.stringify({
    format: 'moothall group export',
    version: formatVersion,
    exported_at: '2026-01-02T03:04:05.000Z',
    groups: 1,
    files: { 'users.ndjson': { bytes, rows: 1, sha256: '0'.repeat(64) } },
  });

async function archiveWith(manifest: string, users: string): Promise<Readable> {
  const archive = pack();
  archive.entry({ name: 'manifest.json' }, manifest);
  archive.entry({ name: 'users.ndjson' }, users);
  archive.finalize();
  return Readable.from([gzipSync(await buffer(archive as unknown as Readable))]);
}

const large = 'x'.repeat(2 * maxRowBytes);
const read = async (archive: Promise<Readable>) => readArchive(await archive, { maxBytes: 1024 ** 3 }, {});

describe('readArchive', () => {
  // The unread rest is larger than the buffers of the streams.
  it('refuses a large file by its header, and only refuses it', async () => {
    await expect(read(archiveWith(manifestOf(1), large))).rejects.toThrow('not as long as its manifest says');
  });

  it('refuses a row without end before it has all of it', async () => {
    await expect(read(archiveWith(manifestOf(large.length), large))).rejects.toThrow(
      'a row of users.ndjson is too long',
    );
  });
});
