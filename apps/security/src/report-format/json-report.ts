import { confidences } from '@moothall/contracts';
import { z } from 'zod';
import type { ToldFinding } from './finding';
import { named } from './read-wanted';
import { reportFormat } from './report-format';
import { severityNamed } from './severity';

const text = z.string().nullish();
const line = z.int().nullish();

const scanner = z.object({ id: z.string(), name: z.string(), vendor: z.object({ name: z.string() }).nullish() });

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
  dependency: z.object({ package: z.object({ name: text }).nullish(), version: text }).nullish(),
});

const finding = z.object({
  category: z.string().nullish(),
  name: text,
  message: text,
  description: text,
  severity: text,
  confidence: text,
  solution: text,
  scanner: scanner.nullish(),
  identifiers: z
    .array(z.object({ type: z.string(), name: z.string(), value: z.string(), url: text }))
    .min(1, 'needs one identifier at least'),
  location,
  links: z.array(z.object({ name: text, url: z.string() })).nullish(),
});

const schema = z.object({
  version: z.string().regex(/^(2|3|14|15)\.\d{1,3}(\.\d{1,3})?(-\w{1,20})?$/, 'is of no known version'),
  scan: z.object({ type: z.string().nullish(), scanner: scanner.nullish() }).nullish(),
  vulnerabilities: z.array(finding),
});

type Scanned = z.infer<typeof scanner>;

/** The reports of the v4 interface for analyzers, by its JSON schemas 2, 3, 14 and 15. */
export const jsonReport = reportFormat({
  name: 'JSON report',
  wanted: (most) => ({
    fields: {
      version: 'all',
      scan: { fields: { type: 'all', scanner: 'all' } },
      vulnerabilities: { most, each: { fields: named(Object.keys(finding.shape)) } },
    },
  }),
  isFormat: (document) => !('bomFormat' in document) && !('runs' in document) && 'vulnerabilities' in document,
  schema,
  tell: ({ scan, vulnerabilities }) => ({
    reportType: scan?.type ?? vulnerabilities[0]?.category ?? undefined,
    scanners: scan?.scanner ? [toldScanner(scan.scanner)] : [],
    findings: vulnerabilities.map((one) => tellFinding(one, scan?.scanner ?? undefined)),
  }),
});

function tellFinding(one: z.infer<typeof finding>, usual: Scanned | undefined): ToldFinding {
  const { dependency, ...place } = one.location;
  const found = one.scanner ?? usual;
  return {
    title: one.name || one.message || one.identifiers[0]?.name || '',
    description: one.description,
    message: one.message,
    severity: severityNamed(one.severity),
    confidence: confidences.find((known) => known === one.confidence?.toLowerCase()),
    solution: one.solution,
    scanner: found ? toldScanner(found) : { id: 'unknown', name: 'Unknown' },
    identifiers: one.identifiers,
    location: { ...place, package: dependency?.package?.name, package_version: dependency?.version },
    links: one.links ?? [],
  };
}

const toldScanner = ({ id, name, vendor }: Scanned) => ({ id, name, vendor: vendor?.name });
