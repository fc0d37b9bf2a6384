import { type Severity, severities } from '@moothall/contracts';

/** A severity by name, in any case. */
export function severityNamed(name: string | null | undefined): Severity {
  const known = name?.toLowerCase();
  if (known === 'none') return 'info';
  return severities.find((severity) => severity === known) ?? 'unknown';
}

/** By a CVSS score. */
export function severityOfScore(score: number): Severity {
  if (score >= 9) return 'critical';
  if (score >= 7) return 'high';
  if (score >= 4) return 'medium';
  return score > 0 ? 'low' : 'info';
}
