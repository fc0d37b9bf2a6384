/** Whether writes of all tests get faults: `FAULTS=<file>` is the file for the results. @see FaultyClient */
export const isUnderFaults = Boolean(process.env.FAULTS);

let isMeant = isUnderFaults;

/** From here on calls of this test file get faults. */
export function meetFaults(): void {
  isMeant = true;
}

export const areFaultsMeant = (): boolean => isMeant;

/** For tests with their own faults, or that depend on a first try, such as numbers without a gap. */
export const itWithoutFaults = isUnderFaults ? it.skip : it;

/** For chaos tests that start processes: their background work would take the faults meant for operations. */
export const describeWithoutFaults = isUnderFaults ? describe.skip : describe;

/** For slow tests, such as calling each operation until every command of it has failed. */
export const itUnderFaults = isUnderFaults ? it : it.skip;
