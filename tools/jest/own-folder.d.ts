/** Gives the tests of this run a temporary folder of their own, by TMPDIR. */
export function open(): void;
/** Removes it. */
export function remove(): void;
