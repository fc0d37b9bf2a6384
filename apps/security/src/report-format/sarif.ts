import { z } from 'zod';
import { cweNumber } from './cwe';
import type { ToldFinding } from './finding';
import { named } from './read-wanted';
import { reportFormat } from './report-format';
import { severityOfScore } from './severity';

const text = z.string().nullish();
const message = z.object({ text, id: text }).nullish();
const level = z.enum(['none', 'note', 'warning', 'error']).nullish();
const kind = z.enum(['notApplicable', 'pass', 'fail', 'review', 'open', 'informational']).nullish();
const baselineState = z.enum(['new', 'unchanged', 'updated', 'absent']).nullish();
const suppression = z.object({
  kind: z.enum(['inSource', 'external']),
  status: z.enum(['accepted', 'underReview', 'rejected']).nullish(),
});
const index = z.int().min(-1).nullish();
const line = z.int().min(1).nullish();
const marks = z.record(z.string(), z.string()).nullish();
const properties = z.object({
  'security-severity': z.union([z.string(), z.number()]).nullish(),
  tags: z.array(z.unknown()).nullish(),
});

const hasText = ({ text, id }: { text?: unknown; id?: unknown }): boolean => typeof (text ?? id) === 'string';

const rule = z.object({
  id: z.string(),
  name: text,
  shortDescription: message,
  fullDescription: message,
  helpUri: text,
  defaultConfiguration: z.object({ level }).nullish(),
  messageStrings: z.record(z.string(), z.object({ text: z.string() })).nullish(),
  properties: properties.nullish(),
});

const result = z.object({
  ruleId: text,
  ruleIndex: index,
  rule: z.object({ id: text, index }).nullish(),
  kind,
  level,
  message: z.object({ text, id: text }).refine(hasText, 'needs text or id'),
  locations: z
    .array(
      z.object({
        physicalLocation: z
          .object({
            artifactLocation: z.object({ uri: text }).nullish(),
            region: z.object({ startLine: line, endLine: line }).nullish(),
          })
          .nullish(),
      }),
    )
    .nullish(),
  fingerprints: marks,
  partialFingerprints: marks,
  baselineState,
  suppressions: z.array(suppression).nullish(),
  properties: properties.nullish(),
});

const driver = z.object({ name: z.string(), organization: text, rules: z.array(rule).nullish() });
const run = z.object({ tool: z.object({ driver }), results: z.array(result).nullish() });
const schema = z.object({
  version: z.literal('2.1.0', 'is of no known version'),
  runs: z.array(run),
});

type Rule = z.infer<typeof rule>;
type Result = z.infer<typeof result>;

/** Static Analysis Results Interchange Format 2.1.0 (OASIS). */
export const sarif = reportFormat({
  name: 'SARIF 2.1.0',
  wanted: (most) => ({
    fields: {
      version: 'all',
      runs: {
        most: 100,
        each: {
          fields: {
            tool: {
              fields: {
                driver: {
                  fields: {
                    name: 'all',
                    organization: 'all',
                    rules: { most, each: { fields: named(Object.keys(rule.shape)) } },
                  },
                },
              },
            },
            results: { most, each: { fields: named(Object.keys(result.shape)) } },
          },
        },
      },
    },
  }),
  isFormat: (document) => 'runs' in document,
  schema,
  tell: ({ runs }) => ({
    usualType: 'sast',
    scanners: runs.map(({ tool }) => scannerOf(tool.driver)),
    findings: tellRuns(runs),
  }),
});

function* tellRuns(runs: z.infer<typeof run>[]): Generator<ToldFinding> {
  for (const { tool, results } of runs) {
    const rules = tool.driver.rules ?? [];
    const byId = new Map(rules.map((one) => [one.id, one]));
    for (const one of results ?? []) {
      const index = one.ruleIndex ?? one.rule?.index;
      const id = one.ruleId ?? one.rule?.id;
      const about = (id ? byId.get(id) : undefined) ?? (typeof index === 'number' ? rules[index] : undefined);
      if (isThere(one)) yield tellResult(one, id ?? about?.id, about, scannerOf(tool.driver));
    }
  }
}

/** Whether it is something that is wrong, and that nobody has accepted. */
const isThere = ({ kind, baselineState, suppressions }: Result): boolean =>
  (kind ?? 'fail') === 'fail' &&
  baselineState !== 'absent' &&
  !suppressions?.some(({ status }) => (status ?? 'accepted') === 'accepted');

function tellResult(
  one: Result,
  ruleId: string | undefined,
  about: Rule | undefined,
  scanner: ToldFinding['scanner'],
): ToldFinding {
  const said = one.message.text ?? (one.message.id ? about?.messageStrings?.[one.message.id]?.text : undefined) ?? '';
  const physical = one.locations?.[0]?.physicalLocation;
  const startLine = physical?.region?.startLine;
  const id = ruleId ?? said;
  const known = Object.entries({ ...one.partialFingerprints, ...one.fingerprints });
  return {
    title: about?.shortDescription?.text || about?.name || said || id,
    description: about?.fullDescription?.text ?? said,
    message: said,
    severity: severityOf(one, about),
    scanner,
    identifiers: [
      { type: `${scanner.id}_rule_id`, name: id, value: id, url: about?.helpUri },
      ...cwesOf([...(about?.properties?.tags ?? []), ...(one.properties?.tags ?? [])]),
    ],
    location: {
      file: physical?.artifactLocation?.uri,
      start_line: startLine,
      end_line: physical?.region?.endLine ?? startLine,
    },
    mark: known.length > 0 ? JSON.stringify(known.sort()) : undefined,
  };
}

function severityOf({ level: said, properties: own }: Result, about: Rule | undefined) {
  const score = Number(own?.['security-severity'] ?? about?.properties?.['security-severity'] ?? Number.NaN);
  if (!Number.isNaN(score)) return severityOfScore(score);
  const levels = { error: 'high', warning: 'medium', note: 'low', none: 'info' } as const;
  return levels[said ?? about?.defaultConfiguration?.level ?? 'warning'];
}

function cwesOf(tags: unknown[]): ToldFinding['identifiers'] {
  const numbers = tags.flatMap(
    (tag) => /^(?:external\/cwe\/)?cwe-(\d{1,6})\b/i.exec(String(tag).slice(0, 100))?.[1] ?? [],
  );
  return [...new Set(numbers.map(Number))].map((number) => cweNumber(number));
}

const scannerOf = ({ name, organization }: z.infer<typeof driver>) => ({
  id: name.toLowerCase().replace(/[^a-z0-9]+/g, '_'),
  name,
  vendor: organization,
});
