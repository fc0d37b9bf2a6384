import { confidences } from '@moothall/contracts';
import { z } from 'zod';
import type { ReportedFinding } from './finding';
import { named } from './read-wanted';
import { reportFormat } from './report-format';
import { severityNamed } from './severity';

const text = z.string().nullish();
const line = z.int().nullish();

const filled = z.string().min(1);
const program = { id: filled, name: filled };
const scanner = z.object({ ...program, version: text, vendor: z.object({ name: z.string() }).nullish() });

const location = z.object({
  file: text,
  start_line: line,
  end_line: line,
  class: text,
  method: text,
  image: text,
  operating_system: text,
  hostname: text,
  path: text,
  param: text,
  commit: z.object({ sha: text }).nullish(),
  dependency: z.object({ package: z.object({ name: text }).nullish(), version: text }).nullish(),
});

const finding = z.object({
  id: text,
  category: z.string().nullish(),
  name: text,
  message: text,
  description: text,
  severity: text,
  confidence: text,
  solution: text,
  scanner: scanner.nullish(),
  identifiers: z
    .array(z.object({ type: filled, name: filled, value: filled, url: text }))
    .min(1, 'needs one identifier at least'),
  location,
  links: z.array(z.object({ name: text, url: z.string() })).nullish(),
});

const report = z.object({
  version: z.string().regex(/^(2|3|14|15)\.\d{1,3}(\.\d{1,3})?(-\w{1,20})?$/, 'is of no known version'),
  scan: z
    .object({
      type: text,
      scanner: scanner.nullish(),
      analyzer: scanner.nullish(),
      status: text,
      start_time: text,
      end_time: text,
    })
    .nullish(),
  vulnerabilities: z.array(finding),
});

/** Additional requirement of version 15. */
const time = z.string().regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/, 'is no time as 2020-01-28T03:26:02');
const knownProgram = z.object({ ...program, version: filled, vendor: z.object({ name: filled }) });
const knownScan = z.object({
  type: filled,
  scanner: knownProgram,
  analyzer: knownProgram,
  status: z.enum(['success', 'failure']),
  start_time: time,
  end_time: time,
});
const dependency = z.object({ package: z.object({ name: z.string() }), version: z.string() });
const places = new Map<string | null | undefined, z.ZodType>([
  ['dependency_scanning', z.object({ file: filled, dependency })],
  ['container_scanning', z.object({ dependency, operating_system: filled, image: filled })],
  ['secret_detection', z.object({ commit: z.object({ sha: filled }) })],
]);
const knownSeverity = z.enum(['Info', 'Unknown', 'Low', 'Medium', 'High', 'Critical']).optional();
const strictReport = z
  .object({ scan: knownScan, vulnerabilities: z.array(z.object({ id: filled, severity: knownSeverity })) })
  .loose();

const schema = report.superRefine((document, context) => {
  if (!document.version.startsWith('15.')) return;
  const wanting = (within: (string | number)[], schema: z.ZodType, value: unknown): void => {
    const [issue] = schema.safeParse(value).error?.issues ?? [];
    if (issue) context.addIssue({ code: 'custom', message: issue.message, path: [...within, ...issue.path] });
  };
  wanting([], strictReport, document);
  const place = places.get(document.scan?.type);
  if (!place) return;
  for (const [at, { location }] of document.vulnerabilities.entries())
    wanting(['vulnerabilities', at, 'location'], place, location);
});

type Scanned = z.infer<typeof scanner>;

/** The reports of the v4 interface for analyzers, by its JSON schemas 2, 3, 14 and 15. */
export const jsonReport = reportFormat({
  name: 'JSON report',
  wanted: (most) => ({
    fields: {
      version: 'all',
      scan: { fields: named(['type', 'scanner', 'analyzer', 'status', 'start_time', 'end_time']) },
      vulnerabilities: { most, each: { fields: named(Object.keys(finding.shape)) } },
    },
  }),
  isFormat: (document) => !('bomFormat' in document) && !('runs' in document) && 'vulnerabilities' in document,
  schema,
  read: ({ scan, vulnerabilities }) => ({
    reportType: scan?.type ?? vulnerabilities[0]?.category ?? undefined,
    scanners: scan?.scanner ? [readScanner(scan.scanner)] : [],
    findings: vulnerabilities.map((one) => readFinding(one, scan?.scanner ?? undefined)),
  }),
});

function readFinding(one: z.infer<typeof finding>, usual: Scanned | undefined): ReportedFinding {
  const { dependency, commit: _, ...place } = one.location;
  const found = one.scanner ?? usual;
  return {
    title: one.name || one.message || one.identifiers[0]?.name || '',
    description: one.description,
    message: one.message,
    severity: severityNamed(one.severity),
    confidence: confidences.find((known) => known === one.confidence?.toLowerCase()),
    solution: one.solution,
    scanner: found ? readScanner(found) : { id: 'unknown', name: 'Unknown' },
    identifiers: one.identifiers,
    location: {
      ...place,
      package: dependency?.package?.name,
      package_version: dependency?.version,
    },
    links: one.links ?? [],
  };
}

const readScanner = ({ id, name, vendor }: Scanned) => ({ id, name, vendor: vendor?.name });
