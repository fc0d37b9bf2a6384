import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

// The kernel cuts longer names off (sun_path: 108 bytes on Linux, 104 on macOS, with the final NUL).
const maxPathBytes = 103;

/**
 * A path for a Unix socket. Only this user can enter its folder, which is the access control of the server. If the
 * path of the run folder is too long, a short one in the temporary folder is used, always the same.
 */
export function placeSocket(runFolder: string, name: string): string {
  const wanted = path.join(runFolder, name);
  const socket = Buffer.byteLength(wanted) <= maxPathBytes ? wanted : path.join(shortFolder(runFolder), name);
  mkdirSync(path.dirname(socket), { recursive: true, mode: 0o700 });
  // Fails if the folder belongs to another user.
  chmodSync(path.dirname(socket), 0o700);
  rmSync(socket, { force: true });
  return socket;
}

function shortFolder(runFolder: string): string {
  return path.join(tmpdir(), `moothall-${createHash('sha256').update(runFolder).digest('hex').slice(0, 16)}`);
}

/** @returns the address by which the MongoDB driver reaches a socket */
export function socketUri(socket: string): string {
  return `mongodb://${encodeURIComponent(socket)}/`;
}
