/**
 * Node 22.1 and newer cache compiled code beside the installed packages, for the next start and for every process:
 * imported before anything else. Node 20 compiles each time. If the folder is not writable, as in an image, Node runs
 * without the cache. `NODE_COMPILE_CACHE` sets another folder, `NODE_DISABLE_COMPILE_CACHE=1` disables it.
 */
import module from 'node:module';
import path from 'node:path';

process.env.NODE_COMPILE_CACHE ??= path.join(__dirname, '../../../node_modules/.cache/moothall/compiled');

// The types are those of Node 20, which lacks it.
const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
