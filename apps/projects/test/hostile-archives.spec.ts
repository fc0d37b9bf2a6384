import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { createGzip, gzipSync } from 'node:zlib';
import { type Caller, importGroup } from '@moothall/contracts';
import { UploadStore } from '@moothall/testing';
import { pack } from 'tar-stream';
import { GroupArchiveChecks } from '../src/group-archive/format/archive-checks';
import { formatVersion } from '../src/group-archive/format/archive-format';
import type { ProjectsSettings } from '../src/settings/settings';
import { type ProjectsUnderTest, refusal, startProjects, uniqueName } from './projects-under-test';

/* An archive of any user is checked within limits, and does not block others. */

jest.setTimeout(240_000);

let projects: ProjectsUnderTest;
let files: UploadStore;
let mallory: Caller;
beforeAll(async () => {
  files = await UploadStore.start();
  projects = await startProjects();
  mallory = await projects.user();
});
afterAll(async () => {
  await projects?.stop();
  await files?.stop();
});

const group = {
  number: 1,
  parent_number: null,
  name: 'g',
  path: 'g',
  description: '',
  visibility: 'private',
  settings: {},
};
const member = '{"username":"a","public_email":null,"access_level":10,"expires_at":null}\n';
const kinds = ['members', 'badges', 'labels', 'milestones', 'boards', 'epics'];

/** Content of a file: a repeated text. */
type Content = [text: string, times?: number];

/** Valid as far as it is read. */
function archiveOf(members: number, users: Content = ['']): Promise<Buffer> {
  const contents: [string, Content][] = [
    ['users.ndjson', users],
    ['tree/groups/_all.ndjson', ['{"number":1}\n']],
    ['tree/groups/1.json', [`${JSON.stringify(group)}\n`]],
    ...kinds.map((kind): [string, Content] => [
      `tree/groups/1/${kind}.ndjson`,
      kind === 'members' ? [member, members] : [''],
    ]),
  ];
  const facts = contents.map(([name, [text, times = 1]]) => {
    // The checksum of many repetitions is only checked at the end, which is never reached.
    const sha256 = createHash('sha256').update(text).digest('hex');
    return [name, { bytes: text.length * times, rows: (text.split('\n').length - 1) * times, sha256 }];
  });
  const manifest = {
    format: 'moothall group export',
    version: formatVersion,
    exported_at: '2026-01-02T03:04:05.000Z',
    groups: 1,
    files: Object.fromEntries(facts),
  };
  return packed([['manifest.json', [JSON.stringify(manifest)]], ...contents]);
}

function packed(contents: [string, Content][]): Promise<Buffer> {
  const archive = pack();
  const writing = (async () => {
    for (const [name, [text, times = 1]] of contents) {
      const entry = archive.entry({ name, size: text.length * times });
      const atOnce = 10_000;
      for (let left = times; left > 0; left -= atOnce) {
        if (!entry.write(text.repeat(Math.min(left, atOnce)))) await once(entry, 'drain');
      }
      entry.end(Buffer.alloc(0));
      await once(entry, 'close');
    }
    archive.finalize();
  })();
  const zipped = createGzip({ level: 1 });
  return Promise.all([buffer(zipped), pipeline(archive as never, zipped), writing]).then(([bytes]) => bytes);
}

const load = (archive: Buffer, caller = mallory) => {
  const path = uniqueName('imported');
  return projects.ask(caller, importGroup, { name: path, path, file: files.add(archive, 'group.tar.gz') });
};

it('an archive that takes too long is refused', async () => {
  const settings = { GROUP_IMPORT_CHECK_TIMEOUT: 1, GROUP_IMPORT_MAX_SIZE: 1024 ** 3 } as ProjectsSettings;
  const checks = new GroupArchiveChecks(settings);
  const endless = Readable.from([await archiveOf(3_000_000)]);
  expect(await refusal(checks.check(endless, 'mallory'))).toEqual({
    code: 'group_export.archive_refused',
    message: '400 Bad request - The archive cannot be imported: it takes too much time to be read',
  });
  await checks.onApplicationShutdown();
});

it('too many users are refused', async () => {
  const users: Content = ['{"id":1,"username":"a","public_email":null}\n', 100_001];
  expect(await refusal(load(await archiveOf(0, users)))).toMatchObject({
    message: expect.stringContaining('it names more than 100000 users'),
  });
});

it.each<[string, () => Promise<Buffer>]>([
  ['a name of 5 MB', () => packed([['x'.repeat(5 * 1024 ** 2), ['']]])],
  ['no size', async () => gzipSync(withSize('not a size..'))],
])('headers with %s are refused as the archive they are in', async (_what, archive) => {
  expect(await refusal(load(await archive()))).toMatchObject({ code: 'group_export.archive_refused' });
});

/** A valid tar header except for its size. */
function withSize(size: string): Buffer {
  const header = Buffer.alloc(1024);
  header.write('manifest.json', 0);
  header.write('0000644\0', 100);
  header.write(size, 124);
  header.write('0', 156);
  header.write('ustar\x0000', 257, 'latin1');
  header.fill(' ', 148, 156);
  const sum = header.subarray(0, 512).reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}
