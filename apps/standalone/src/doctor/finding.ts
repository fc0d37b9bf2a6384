/** One thing that was looked at, as it was found. */
export interface Finding {
  /** What was looked at, in a word or two. */
  about: string;
  /** A warning is no fault yet, and becomes one. */
  state: 'fine' | 'warning' | 'fault';
  /** The finding, as a sentence for the operator. */
  says: string;
}

/** Looks at one part of an installation. What it throws is a fault of that part. */
export interface Check {
  about: string;
  look(): Promise<Omit<Finding, 'about'>[]>;
}

type Found = Omit<Finding, 'about'>;

export const fine = (says: string): Found => ({ state: 'fine', says });
export const warning = (says: string): Found => ({ state: 'warning', says });
export const fault = (says: string): Found => ({ state: 'fault', says });

const patienceMs = 20_000;

/** All of them side by side; none keeps the others waiting. */
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

/** Addresses carry passwords, and messages of libraries sometimes addresses. */
const reasonOf = ({ message, cause }: Error): string =>
  `${(cause as Error | undefined)?.message || message || 'It does not answer.'}`.replace(/\/\/[^@/\s]*@/g, '//');
