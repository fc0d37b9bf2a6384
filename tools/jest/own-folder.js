/*
 * Tests have a temporary folder of their own, by TMPDIR: whatever they, and what they start, leave in it goes with it.
 * Those of runs that were killed go with the next one.
 */
const { mkdtempSync, readdirSync, rmSync } = require('node:fs');
const { tmpdir } = require('node:os');
const path = require('node:path');

// Short, since paths of sockets are.
const name = /^moothall-t(\d+)-/;

exports.open = () => {
  const outer = tmpdir();
  for (const left of readdirSync(outer)) {
    const pid = Number(name.exec(left)?.[1]);
    if (pid && !isAlive(pid)) rmSync(path.join(outer, left), { recursive: true, force: true });
  }
  process.env.TMPDIR = mkdtempSync(path.join(outer, `moothall-t${process.pid}-`));
};

exports.remove = () => {
  const folder = process.env.TMPDIR;
  // Never one that is somebody else's.
  if (!folder || !name.test(path.basename(folder))) return;
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
  process.env.TMPDIR = path.dirname(folder);
};

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
