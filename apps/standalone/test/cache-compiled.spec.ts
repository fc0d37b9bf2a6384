import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import module from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

const program = path.resolve(__dirname, '../dist/cache-compiled.js');
const root = path.resolve(__dirname, '../../..');

describe('the compile cache of Node', () => {
  it('is stored beside the packages, by every process', () => {
    expect(folderSeenByChildren({ NODE_COMPILE_CACHE: undefined })).toBe(
      path.join(root, 'node_modules/.cache/moothall/compiled'),
    );
  });

  it('is stored in the configured folder', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'compiled-'));
    expect(folderSeenByChildren({ NODE_COMPILE_CACHE: folder })).toBe(folder);
    // Node 20 has no such cache.
    expect(readdirSync(folder).length > 0).toBe('enableCompileCache' in module);
    await rm(folder, { recursive: true });
  });

  it('may be missing if it cannot be stored', () => {
    expect(folderSeenByChildren({ NODE_COMPILE_CACHE: '/dev/null/compiled' })).toBe('/dev/null/compiled');
  });
});

/** Compiles something, so that there is something to cache. */
function folderSeenByChildren(env: Record<string, string | undefined>): string {
  const child = 'process.stdout.write(process.env.NODE_COMPILE_CACHE)';
  const script = `require(${JSON.stringify(program)}); require('ioredis');
    process.stdout.write(require('node:child_process').execFileSync(process.execPath, ['-e', ${JSON.stringify(child)}]))`;
  return execFileSync(process.execPath, ['-e', script], { env: { ...process.env, ...env }, encoding: 'utf8' });
}
