import { createHash } from 'node:crypto';
import type { ReportType, Severity, Vulnerability } from '@moothall/contracts';

export interface Identifier {
  type: string;
  name: string;
  value: string;
  url: string | null;
}

export interface Scanner {
  externalId: string;
  name: string;
  vendor: string | null;
}

/** Location of a finding, by kind of scanner. */
export type Location = Record<string, string | number>;

/** A finding of a scanner, independent of the report format. */
export interface Finding {
  reportType: ReportType;
  title: string;
  description: string | null;
  message: string | null;
  severity: Severity;
  confidence: Vulnerability['confidence'];
  solution: string | null;
  scanner: Scanner;
  identifiers: Identifier[];
  location: Location;
  links: { name: string | null; url: string }[];
  /** Equal for the same finding in all reports of its project. */
  fingerprint: string;
  locationFingerprint: string;
}

/** A finding of any format. Texts are cut to their limits, and invisible characters are removed. */
export interface ReportedFinding {
  title: string;
  description?: string | null | undefined;
  message?: string | null | undefined;
  severity: Severity;
  confidence?: Vulnerability['confidence'] | undefined;
  solution?: string | null | undefined;
  scanner: { id: string; name: string; vendor?: string | null | undefined };
  identifiers: { type: string; name: string; value: string; url?: string | null | undefined }[];
  location: Record<string, string | number | null | undefined>;
  links?: { name?: string | null | undefined; url: string }[] | undefined;
  /** Identifies the finding after its lines have moved. */
  mark?: string | undefined;
}

export const listLength = 20;
const urlLength = 2048;

export function findingOf(reportType: ReportType, reported: ReportedFinding): Finding {
  const scanner = scannerOf(reported.scanner);
  const location = locationOf(reported.location);
  const identifiers = reported.identifiers.slice(0, listLength).map(identifierOf);
  const place = reported.mark === undefined ? placeOf(reportType, location) : [location.file, reported.mark];
  const locationFingerprint = digestOf(place);
  const [primary] = identifiers;
  return {
    reportType,
    title: shown(reported.title, 255) || 'Untitled',
    description: textOf(reported.description, 15_000),
    message: textOf(reported.message, 3_000),
    severity: reported.severity,
    confidence: reported.confidence ?? 'unknown',
    solution: textOf(reported.solution, 7_000),
    scanner,
    identifiers,
    location,
    links: (reported.links ?? [])
      .slice(0, listLength)
      .flatMap(({ name, url }) => (isAddress(url) ? [{ name: textOf(name, 255), url }] : [])),
    fingerprint: digestOf([reportType, scanner.externalId, primary?.type, primary?.value, locationFingerprint]),
    locationFingerprint,
  };
}

export const scannerOf = ({ id, name, vendor }: ReportedFinding['scanner']): Scanner => ({
  externalId: shown(id, 255),
  name: shown(name, 255),
  vendor: textOf(vendor, 255),
});

const identifierOf = ({ type, name, value, url }: ReportedFinding['identifiers'][number]): Identifier => ({
  type: shown(type, 255).toLowerCase(),
  name: shown(name, 255),
  value: shown(value, 255),
  url: url && isAddress(url) ? url : null,
});

function locationOf(reported: ReportedFinding['location']): Location {
  const known = Object.entries(reported).flatMap(([name, value]): [string, string | number][] => {
    if (value === null || value === undefined || value === '') return [];
    return [[name, typeof value === 'string' ? shown(value, 1024) : value]];
  });
  return Object.fromEntries(known);
}

/** The part of a location that identifies a finding, by kind of scanner. */
function placeOf(reportType: ReportType, location: Location): unknown[] {
  const { file, image, package: name, method, hostname, path, param } = location;
  if (reportType === 'container_scanning') return [imageName(String(image ?? '')), name];
  if (reportType === 'dependency_scanning') return [file, name];
  if (reportType === 'dast') return [method, hostname, path, param];
  return [file, location.start_line, location.end_line, location.class, method];
}

/** Without tag and digest, which change with each build. */
function imageName(image: string): string {
  const [name = ''] = image.split('@', 1);
  const tagAt = name.indexOf(':', name.lastIndexOf('/') + 1);
  return tagAt < 0 ? name : name.slice(0, tagAt);
}

const digestOf = (parts: unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** Whether a page may show it as a link. */
const isAddress = (url: string): boolean => url.length <= urlLength && /^https?:\/\/[^\s\p{Cc}]+$/iu.test(url);

const textOf = (reported: string | null | undefined, most: number): string | null =>
  reported === null || reported === undefined || reported === '' ? null : shown(reported, most);

/** Without control characters and lone surrogates, which not every system can store or show. */
const shown = (text: string, most: number): string =>
  Buffer.from(text.slice(0, most).replace(/[^\P{Cc}\n\t]/gu, ''))
    .toString()
    .trim();
