import { z } from 'zod';
import { cweNumber } from './cwe';
import type { ToldFinding } from './finding';
import { named, type Wanted } from './read-wanted';
import { reportFormat } from './report-format';
import { index, level, properties, type Rule, rule, ruleReference, ToolRules, tool } from './sarif-rules';
import { severityOfScore } from './severity';

const text = z.string().nullish();
const kind = z.enum(['notApplicable', 'pass', 'fail', 'review', 'open', 'informational']).nullish();
const baselineState = z.enum(['new', 'unchanged', 'updated', 'absent']).nullish();
const suppression = z.object({
  kind: z.enum(['inSource', 'external']),
  status: z.enum(['accepted', 'underReview', 'rejected']).nullish(),
});
const line = z.int().min(1).nullish();
const marks = z.record(z.string(), z.string()).nullish();
const hasText = ({ text, id }: { text?: unknown; id?: unknown }): boolean => typeof (text ?? id) === 'string';

const result = z.object({
  ruleId: text,
  ruleIndex: index,
  rule: ruleReference.nullish(),
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

const run = z.object({ tool, results: z.array(result).nullish() });
const schema = z.object({
  version: z.literal('2.1.0', 'is of no known version'),
  runs: z.array(run),
});

type Result = z.infer<typeof result>;

/** CodeQL has one for each pack of queries. */
const mostExtensions = 1000;
const component = (most: number): Wanted => ({
  fields: {
    ...named(['name', 'organization', 'guid']),
    rules: { most, each: { fields: named(Object.keys(rule.shape)) } },
  },
});

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
                driver: component(most),
                extensions: { most: mostExtensions, each: component(most) },
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
    const rules = new ToolRules(tool);
    const scanner = scannerOf(tool.driver);
    for (const one of results ?? []) {
      if (!isThere(one)) continue;
      const about = rules.find(one);
      yield tellResult(one, one.ruleId ?? one.rule?.id ?? about?.id, about, scanner);
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
      ...cvesOf([
        id,
        about?.id,
        about?.name,
        about?.helpUri,
        ...textsOf(about?.properties),
        ...textsOf(one.properties),
      ]),
      ...cwesOf([...(about?.properties?.tags ?? []), ...(one.properties?.tags ?? [])]),
    ],
    links: about?.helpUri ? [{ url: about.helpUri }] : [],
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

/** Trivy writes it as the rule's id, Grype within the id, others among tags and properties. */
function cvesOf(texts: unknown[]): ToldFinding['identifiers'] {
  const found = texts.flatMap((one) => [
    ...String(one)
      .slice(0, 2048)
      .matchAll(/\bCVE-\d{4}-\d{4,19}\b/gi),
  ]);
  const names = new Set(found.map(([name]) => name.toUpperCase()));
  return [...names].map((name) => ({
    type: 'cve',
    name,
    value: name,
    url: `https://nvd.nist.gov/vuln/detail/${name}`,
  }));
}

/** Tags, and what stands under names of the tool's own. */
const textsOf = (properties: Result['properties']): unknown[] =>
  Object.values(properties ?? {})
    .flat()
    .filter((value) => typeof value === 'string')
    .slice(0, 100);

const scannerOf = ({ name, organization }: z.infer<typeof tool>['driver']) => ({
  id: name.toLowerCase().replace(/[^a-z0-9]+/g, '_'),
  name,
  vendor: organization,
});
