import { bool } from './settings';

/** Of everything that writes to a disk: every part reads the same variable, so that none acknowledges less than the others. */
export const durabilitySettings = {
  FSYNC: bool({
    default: true,
    about:
      'Whether what is acknowledged is on the disk. `false` is faster, and for tests: a crash of the machine, but not of a process, then loses data',
  }),
};
