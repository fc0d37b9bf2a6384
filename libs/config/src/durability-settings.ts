import { bool } from './settings';

/** Settings of everything that writes to a disk. All parts read the same variable. */
export const durabilitySettings = {
  FSYNC: bool({
    default: true,
    about:
      'Write to the disk before an answer. `false` is faster, for tests: a crash of the machine loses data, a crash of a process does not',
  }),
};
