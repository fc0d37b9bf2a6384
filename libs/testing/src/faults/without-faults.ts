/** Whether writes of all tests meet faults: `FAULTS=<file>` names where to write what became of them. @see FaultyClient */
export const isUnderFaults = Boolean(process.env.FAULTS);

let isMeant = isUnderFaults;

/** From here on services of this test file are called with their writes failing. */
export function meetFaults(): void {
  isMeant = true;
}

export const areFaultsMeant = (): boolean => isMeant;

/** For tests that fail points of their own, or that count on a first try, as numbers without a gap do. */
export const itWithoutFaults = isUnderFaults ? it.skip : it;

/** For chaos tests that start processes: their background work would take the faults meant for operations. */
export const describeWithoutFaults = isUnderFaults ? describe.skip : describe;

/** For what takes long, as calling each operation until every command of it has failed does. */
export const itUnderFaults = isUnderFaults ? it : it.skip;
