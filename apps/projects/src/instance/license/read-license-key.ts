import { createHash } from 'node:crypto';
import { date, licenseErrors } from '@moothall/contracts';
import { z } from 'zod';

/** Content of a licence key. Dates are written as `2031-01-02`, so they sort as strings. */
export interface LicenseFacts {
  plan: string;
  startsAt: string;
  /** First day after its validity. */
  expiresAt: string | null;
  userLimit: number | null;
  licensee: { Name: string; Company?: string; Email?: string };
  addOns: { name: string; count: number }[];
}

export const mostAddOns = 50;
const most = 1_000_000_000;
const words = z.string().min(1).max(255);
const addOns = z.record(z.string().regex(/^[A-Za-z]\w{0,99}$/), z.int().min(0).max(most));

/** The text of a key. See docs/api/instance.md#9. */
const Written = z.strictObject({
  plan: z.string().regex(/^[a-z][a-z_]{0,49}$/),
  licensee: z.strictObject({ Name: words, Company: words.optional(), Email: words.optional() }),
  starts_at: date,
  expires_at: date.nullable().default(null),
  user_limit: z.int().min(1).max(most).nullable().default(null),
  add_ons: addOns.refine((given) => Object.keys(given).length <= mostAddOns).default({}),
});

/** Equal for keys that differ only in line breaks. */
export const digestOf = (key: string): string => createHash('sha256').update(withoutBreaks(key)).digest('hex');

const withoutBreaks = (key: string): string => key.replace(/\s/g, '');

/**
 * @param today a licence that has expired by then is refused
 * @throws license.invalid
 */
export function readLicenseKey(key: string, today: string): LicenseFacts {
  const parsed = Written.safeParse(jsonIn(key));
  if (!parsed.success) throw invalid(problemOf(parsed.error));
  const { data } = parsed;
  const [startsAt, expiresAt] = [data.starts_at, data.expires_at];
  if (expiresAt !== null && expiresAt <= startsAt) throw invalid('expires_at must be after starts_at');
  if (isOver(expiresAt, today)) throw licenseErrors.invalid('This license has already expired.');
  const facts = { plan: data.plan, startsAt, expiresAt, userLimit: data.user_limit };
  const counts = Object.entries(data.add_ons).map(([name, count]) => ({ name, count }));
  return { ...facts, licensee: data.licensee as LicenseFacts['licensee'], addOns: counts };
}

export const isOver = (expiresAt: string | null, today: string): boolean => expiresAt !== null && expiresAt <= today;

/** @throws license.invalid */
function jsonIn(key: string): unknown {
  const encoded = withoutBreaks(key);
  try {
    if (!/^[\w+/-]+={0,2}$/.test(encoded)) throw new Error('no base64');
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64')));
  } catch {
    throw invalid('it is not base64 of JSON');
  }
}

function problemOf({ issues: [issue] }: z.ZodError): string {
  const place = issue?.path.join('.') ?? '';
  if (issue?.code === 'unrecognized_keys') return `${issue.keys.join(', ').slice(0, 100)} is not known`;
  return place === '' ? 'it is not an object' : `${place.slice(0, 100)} is missing or invalid`;
}

const invalid = (problem: string) => licenseErrors.invalid(`The license key is invalid: ${problem}.`);
