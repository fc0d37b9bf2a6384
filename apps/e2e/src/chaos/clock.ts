import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@moothall/processes';

/** Path in Debian; the library intercepts a program's calls for the system time. */
const library = `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/faketime/libfaketimeMT.so.1`;

export const hasClock = (): boolean => existsSync(library);

/** Redis reads the time while it sets up its memory, before the library works. */
const withoutLibrary = '#!/bin/sh\nunset LD_PRELOAD\nPATH="$(echo "$PATH" | cut -d: -f2-)"\nexec redis-server "$@"\n';

/**
 * A wall clock for one server, which jumps: for the gateway, the services and the database, but not for NATS, which
 * asks the kernel directly, and Redis. Monotonic clocks do not change, as when a system clock is set.
 */
export class Clock {
  private readonly folder = temporaryFolder('clock');
  private readonly file = path.join(this.folder, 'offset');

  constructor() {
    this.set(0);
    const redis = path.join(this.folder, 'redis-server');
    writeFileSync(redis, withoutLibrary);
    chmodSync(redis, 0o755);
  }

  get env(): Record<string, string> {
    return {
      LD_PRELOAD: library,
      PATH: `${this.folder}:${process.env.PATH}`,
      FAKETIME_TIMESTAMP_FILE: this.file,
      // Read again after a second.
      FAKETIME_CACHE_DURATION: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
  }

  /** @param seconds offset from the clock of the machine */
  set(seconds: number): void {
    writeFileSync(this.file, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  }
}
