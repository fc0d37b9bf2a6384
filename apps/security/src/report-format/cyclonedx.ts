import { type LeftOutReason, type Severity, severities } from '@moothall/contracts';
import { z } from 'zod';
import { cweNumber } from './cwe';
import type { ReportedFinding } from './finding';
import { named } from './read-wanted';
import { reportFormat } from './report-format';
import { severityNamed, severityOfScore } from './severity';

const text = z.string().nullish();
const component = z.object({
  type: z.string(),
  'bom-ref': text,
  name: z.string(),
  group: text,
  version: text,
  /** Components may be nested. */
  get components(): z.ZodOptional<z.ZodNullable<z.ZodArray<typeof component>>> {
    return z.array(component).nullish();
  },
});
type Component = z.infer<typeof component>;

const severity = z.enum(['critical', 'high', 'medium', 'low', 'info', 'none', 'unknown']).nullish();
const state = z
  .enum(['resolved', 'resolved_with_pedigree', 'exploitable', 'in_triage', 'false_positive', 'not_affected'])
  .nullish();

const vulnerability = z.object({
  'bom-ref': text,
  id: text,
  source: z.object({ name: text, url: text }).nullish(),
  references: z.array(z.object({ id: z.string(), source: z.object({ name: text, url: text }) })).nullish(),
  ratings: z.array(z.object({ severity, score: z.number().nullish(), method: text })).nullish(),
  cwes: z.array(z.int().min(1)).nullish(),
  description: text,
  detail: text,
  recommendation: text,
  advisories: z.array(z.object({ title: text, url: z.string() })).nullish(),
  analysis: z.object({ state }).nullish(),
  affects: z
    .array(
      z.object({
        ref: z.string(),
        versions: z.array(z.object({ status: z.enum(['affected', 'unaffected', 'unknown']).nullish() })).nullish(),
      }),
    )
    .nullish(),
});

const tool = z.object({ name: text, vendor: text });
const schema = z.object({
  bomFormat: z.literal('CycloneDX', 'is none that is known'),
  specVersion: z.enum(['1.4', '1.5', '1.6', '1.7'], 'is of no known version'),
  metadata: z
    .object({
      tools: z.union([z.array(tool), z.object({ components: z.array(tool).nullish() })]).nullish(),
      component: component.nullish(),
    })
    .nullish(),
  components: z.array(component).nullish(),
  vulnerabilities: z.array(vulnerability).nullish(),
});

/** CycloneDX (ECMA-424) with vulnerabilities, from version 1.4 on. */
export const cycloneDx = reportFormat({
  name: 'CycloneDX with vulnerabilities',
  wanted: (most) => ({
    fields: {
      bomFormat: 'all',
      specVersion: 'all',
      metadata: { fields: named(['tools', 'component']) },
      components: { most, each: { fields: named(Object.keys(component.shape)) } },
      vulnerabilities: { most, each: { fields: named(Object.keys(vulnerability.shape)) } },
    },
  }),
  isFormat: (document) => 'bomFormat' in document,
  schema,
  read: (document) => {
    const scanner = scannerOf(document);
    return { usualType: 'dependency_scanning', scanners: [scanner], findings: readVulnerabilities(document, scanner) };
  },
});

function scannerOf({ metadata }: z.infer<typeof schema>): ReportedFinding['scanner'] {
  const tools = metadata?.tools;
  const [first] = (Array.isArray(tools) ? tools : tools?.components) ?? [];
  const name = first?.name ?? 'CycloneDX';
  return { id: name.toLowerCase().replace(/[^a-z0-9]+/g, '_'), name, vendor: first?.vendor };
}

function* readVulnerabilities(
  { metadata, components, vulnerabilities }: z.infer<typeof schema>,
  scanner: ReportedFinding['scanner'],
): Generator<ReportedFinding | LeftOutReason> {
  const byRef = new Map<string | null | undefined, Component>();
  for (const one of allOf([...(metadata?.component ? [metadata.component] : []), ...(components ?? [])]))
    byRef.set(one['bom-ref'], one);
  for (const one of vulnerabilities ?? []) {
    const reason = reasons[one.analysis?.state ?? 'in_triage'];
    if (reason) {
      yield reason;
      continue;
    }
    const finding = readVulnerability(one, scanner);
    const affected = one.affects?.length ? one.affects : [{ ref: '' }];
    for (const { ref, versions } of affected) {
      if (versions?.length && versions.every(({ status }) => status === 'unaffected')) {
        yield 'not_affected';
        continue;
      }
      const found = byRef.get(ref) ?? byRef.get(ref.slice(ref.lastIndexOf('#') + 1));
      const name = found?.group ? `${found.group}/${found.name}` : (found?.name ?? ref);
      yield { ...finding, location: { package: name, package_version: found?.version } };
    }
  }
}

/** Components with nested ones. */
function* allOf(components: Component[]): Generator<Component> {
  for (const one of components) {
    yield one;
    yield* allOf(one.components ?? []);
  }
}

/** Analysed vulnerabilities that are not findings. */
const reasons: Partial<Record<NonNullable<z.infer<typeof state>>, LeftOutReason>> = {
  not_affected: 'not_affected',
  false_positive: 'not_affected',
  resolved: 'resolved',
  resolved_with_pedigree: 'resolved',
};

function readVulnerability(
  one: z.infer<typeof vulnerability>,
  scanner: ReportedFinding['scanner'],
): Omit<ReportedFinding, 'location'> {
  const { id, url } = identifierOf(one);
  const aliases = (one.references ?? []).filter((reference) => reference.id !== id);
  return {
    title: id,
    description: one.description ?? one.detail,
    message: one.detail ?? one.description,
    severity: worstOf(one),
    solution: one.recommendation,
    scanner,
    identifiers: [
      namedAs(id, url),
      ...aliases.map((alias) => namedAs(alias.id, alias.source.url)),
      ...(one.cwes ?? []).map((number) => cweNumber(number)),
    ],
    links: (one.advisories ?? []).map(({ title, url }) => ({ name: title, url })),
  };
}

/** `CVE-2021-44228` has the type `cve`. */
function namedAs(id: string, url: string | null | undefined): ReportedFinding['identifiers'][number] {
  const [, type = 'id'] = /^([a-z]{2,10})-/i.exec(id) ?? [];
  return { type, name: id, value: id, url };
}

/**
 * The format does not require an identifier: a reference to the same vulnerability is the next choice, and the internal
 * reference of the file the last, which may differ in another file.
 */
function identifierOf(one: z.infer<typeof vulnerability>): { id: string; url: string | null | undefined } {
  const [reference] = one.references ?? [];
  if (!one.id && reference) return { id: reference.id, url: reference.source.url };
  const id = one.id || one.description || one.detail || one['bom-ref'] || 'Unknown';
  return { id, url: one.source?.url };
}

function worstOf({ ratings }: z.infer<typeof vulnerability>): Severity {
  const said = (ratings ?? []).map(({ severity, score, method }) => {
    if (severity) return severityNamed(severity);
    // Grype writes the probability of an exploit, from 0 to 1, as the score of another method.
    return typeof score === 'number' && (method ?? 'CVSS').startsWith('CVSS') ? severityOfScore(score) : 'unknown';
  });
  return severities.find((severity) => said.includes(severity)) ?? 'unknown';
}
