/** The result of one check. */
export interface Finding {
  /** Subject of the check, in one or two words. */
  about: string;
  /** A warning is a future fault. */
  state: 'fine' | 'warning' | 'fault';
  /** The result, as a sentence for the operator. */
  says: string;
}

/** Checks one part of an installation. An exception is a fault of that part. */
export interface Check {
  about: string;
  look(): Promise<Omit<Finding, 'about'>[]>;
}

type Found = Omit<Finding, 'about'>;

export const fine = (says: string): Found => ({ state: 'fine', says });
export const warning = (says: string): Found => ({ state: 'warning', says });
export const fault = (says: string): Found => ({ state: 'fault', says });

const patienceMs = 20_000;

/** Runs all checks concurrently. */
export async function lookAll(checks: readonly Check[]): Promise<Finding[]> {
  const found = await Promise.all(
    checks.map(async ({ about, look }) => {
      const findings = await Promise.race([look(), late()]).catch((error: Error) => [fault(reasonOf(error))]);
      return findings.map((finding) => ({ about, ...finding }));
    }),
  );
  return found.flat();
}

function late(): Promise<Found[]> {
  const found = [fault(`No answer within ${patienceMs / 1000} s.`)];
  return new Promise((resolve) => setTimeout(resolve, patienceMs, found).unref());
}

/** URLs may contain passwords, and error messages may contain URLs. */
const reasonOf = ({ message, cause }: Error): string =>
  `${(cause as Error | undefined)?.message || message || 'It does not answer.'}`.replace(/\/\/[^@/\s]*@/g, '//');
