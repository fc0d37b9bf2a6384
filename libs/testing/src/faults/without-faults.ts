/** Whether writes of tests meet faults: `FAULTS=<file>` names where to write what became of them. @see FaultyClient */
export const isUnderFaults = Boolean(process.env.FAULTS);

/** For tests that fail points of their own, or that count on a first try, as numbers without a gap do. */
export const itWithoutFaults = isUnderFaults ? it.skip : it;
