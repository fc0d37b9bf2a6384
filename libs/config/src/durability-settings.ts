import { bool } from './settings';

/** Settings of everything that writes to a disk. All parts read the same variable. */
export const durabilitySettings = {
  FSYNC: bool({
    default: true,
    about:
      'Whether what is acknowledged is on the disk. `false` is faster, and for tests: a crash of the machine, but not of a process, then loses data',
  }),
};
