/**
 * Node 22.1 and newer keep what they compiled beside the installed packages, for the next start and for every process of
 * this one: imported before anything else. Node 20 compiles again. Where the folder cannot be written, as in an image,
 * Node runs without it. `NODE_COMPILE_CACHE` names another folder, `NODE_DISABLE_COMPILE_CACHE=1` turns it off.
 */
import module from 'node:module';
import path from 'node:path';

process.env.NODE_COMPILE_CACHE ??= path.join(__dirname, '../../../node_modules/.cache/moothall/compiled');

// Types are those of Node 20, which does not have it.
const { enableCompileCache } = module as { enableCompileCache?: (folder: string) => unknown };
enableCompileCache?.(process.env.NODE_COMPILE_CACHE);
