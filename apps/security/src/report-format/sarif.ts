import type { LeftOutReason } from '@moothall/contracts';
import { z } from 'zod';
import { cweNumber } from './cwe';
import type { ReportedFinding } from './finding';
import { named, type Wanted } from './read-wanted';
import { reportFormat } from './report-format';
import { index, level, message, properties, type Rule, rule, ruleReference, ToolRules, tool } from './sarif-rules';
import { severityOfScore } from './severity';

const text = z.string().nullish();
const kind = z.enum(['notApplicable', 'pass', 'fail', 'review', 'open', 'informational']).nullish();
const suppression = z.object({
  kind: z.enum(['inSource', 'external']),
  status: z.enum(['accepted', 'underReview', 'rejected']).nullish(),
});
const line = z.int().min(1).nullish();
/** Texts according to the specification; some tools write objects. */
const marks = z.record(z.string(), z.unknown()).nullish();
const fix = z.object({ description: message });
const hasText = ({ text, id }: { text?: unknown; id?: unknown }): boolean => typeof (text ?? id) === 'string';

const result = z.object({
  ruleId: text,
  ruleIndex: index,
  rule: ruleReference.nullish(),
  kind,
  level,
  message: z
    .object({ text, id: text, arguments: z.array(z.string()).nullish() })
    .refine(hasText, 'needs text or id')
    .nullish(),
  locations: z
    .array(
      z.object({
        physicalLocation: z
          .object({
            artifactLocation: z.object({ uri: text, index }).nullish(),
            region: z.object({ startLine: line, endLine: line }).nullish(),
          })
          .nullish(),
      }),
    )
    .nullish(),
  fingerprints: marks,
  partialFingerprints: marks,
  baselineState: text,
  suppressions: z.array(suppression).nullish(),
  fixes: z.array(fix).nullish(),
  properties: properties.nullish(),
});

const artifact = z.object({ location: z.object({ uri: text }).nullish() });
const run = z.object({ tool, artifacts: z.array(artifact).nullish(), results: z.array(result).nullish() });
const schema = z.object({
  version: z.literal('2.1.0', 'is of no known version'),
  runs: z.array(run),
});

type Result = z.infer<typeof result>;

/** CodeQL has one for each query pack. */
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
            artifacts: { most, each: { fields: named(Object.keys(artifact.shape)) } },
            results: { most, each: { fields: named(Object.keys(result.shape)) } },
          },
        },
      },
    },
  }),
  isFormat: (document) => 'runs' in document,
  schema,
  read: ({ runs }) => ({
    usualType: 'sast',
    scanners: runs.map(({ tool }) => scannerOf(tool.driver)),
    findings: readRuns(runs),
  }),
});

function* readRuns(runs: z.infer<typeof run>[]): Generator<ReportedFinding | LeftOutReason> {
  for (const { tool, artifacts, results } of runs) {
    const rules = new ToolRules(tool);
    const scanner = scannerOf(tool.driver);
    for (const one of results ?? []) {
      const reason = reasonToLeaveOut(one);
      if (reason) {
        yield reason;
        continue;
      }
      const about = rules.find(one);
      const ruleId = one.ruleId ?? one.rule?.id ?? about?.id;
      yield readResult(one, { ruleId, about, scanner, file: fileOf(one, artifacts ?? []) });
    }
  }
}

/** Undefined for a problem that nobody has accepted. */
function reasonToLeaveOut({ kind, baselineState, suppressions }: Result): LeftOutReason | undefined {
  if ((kind ?? 'fail') !== 'fail') return 'not_failed';
  if (baselineState === 'absent') return 'absent';
  return suppressions?.some(({ status }) => (status ?? 'accepted') === 'accepted') ? 'suppressed' : undefined;
}

/** A result names its file, or an index in the file list of the run (3.4.5). */
function fileOf({ locations }: Result, artifacts: z.infer<typeof artifact>[]): string | null | undefined {
  const named = locations?.[0]?.physicalLocation?.artifactLocation;
  return named?.uri ?? artifacts[named?.index ?? -1]?.location?.uri;
}

interface AboutResult {
  ruleId: string | undefined;
  about: Rule | undefined;
  scanner: ReportedFinding['scanner'];
  file: string | null | undefined;
}

function readResult(one: Result, { ruleId, about, scanner, file }: AboutResult): ReportedFinding {
  const said = saidIn(one.message, about);
  const region = one.locations?.[0]?.physicalLocation?.region;
  const startLine = region?.startLine;
  const id = ruleId ?? said;
  const known = Object.entries({ ...one.partialFingerprints, ...one.fingerprints });
  const texts = [...textsOf(about?.properties), ...textsOf(one.properties)];
  return {
    title: about?.shortDescription?.text || about?.name || said || id,
    description: about?.fullDescription?.text ?? said,
    message: said,
    severity: severityOf(one, about),
    solution: one.fixes?.[0]?.description?.text,
    scanner,
    identifiers: [
      { type: `${scanner.id}_rule_id`, name: id, value: id, url: about?.helpUri },
      ...cvesOf([id, about?.id, about?.name, about?.helpUri, ...texts]),
      ...cwesOf(texts),
    ],
    links: about?.helpUri ? [{ url: about.helpUri }] : [],
    location: {
      file,
      start_line: startLine,
      end_line: region?.endLine ?? startLine,
    },
    mark: known.length > 0 ? JSON.stringify(known.sort()) : undefined,
  };
}

/** The message of a result, empty if there is none (Flawfinder). `{0}` stands for an argument (SARIF 3.11.5). */
function saidIn(message: Result['message'], about: Rule | undefined): string {
  const text = message?.text ?? (message?.id ? about?.messageStrings?.[message.id]?.text : undefined) ?? '';
  return message?.arguments ? filled(text, message.arguments) : text;
}

/** A finding stores less than this of its message. */
const longestMessage = 20_000;

function filled(text: string, values: readonly string[]): string {
  let length = 0;
  return text.replace(/\{(\d{1,3})\}/g, (place, number: string) => {
    const value = values[Number(number)] ?? place;
    length += value.length;
    return length > longestMessage ? '' : value;
  });
}

function severityOf({ level: said, properties: own }: Result, about: Rule | undefined) {
  const score = Number(own?.['security-severity'] ?? about?.properties?.['security-severity'] ?? Number.NaN);
  if (!Number.isNaN(score)) return severityOfScore(score);
  const levels = { error: 'high', warning: 'medium', note: 'low', none: 'info' } as const;
  return levels[said ?? about?.defaultConfiguration?.level ?? 'warning'];
}

function cwesOf(texts: unknown[]): ReportedFinding['identifiers'] {
  const numbers = texts.flatMap(
    (one) => /^(?:external\/cwe\/)?cwe-(\d{1,6})\b/i.exec(String(one).slice(0, 100))?.[1] ?? [],
  );
  return [...new Set(numbers.map(Number))].map((number) => cweNumber(number));
}

/** Trivy uses it as the rule's id, Grype within the id, others in tags and properties. */
function cvesOf(texts: unknown[]): ReportedFinding['identifiers'] {
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

/** Tags, and properties with names of the tool. */
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
