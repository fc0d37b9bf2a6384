import type { ReportType } from '@moothall/contracts';
import { findingOf, listLength, type ReportedFinding } from './finding';

const scanner = { id: 'semgrep', name: 'Semgrep' };
const identifier = { type: 'CVE', name: 'CVE-2020-1', value: 'CVE-2020-1' };

const finding = (over: Partial<ReportedFinding> = {}, type: ReportType = 'sast') =>
  findingOf(type, { title: 'A', severity: 'high', scanner, identifiers: [identifier], location: {}, ...over });

describe('a finding', () => {
  it('has at most so many identifiers and links', () => {
    const many = <T>(make: (at: number) => T) => Array.from({ length: listLength + 1 }, (_, at) => make(at));
    const made = finding({
      identifiers: many((at) => ({ ...identifier, value: String(at) })),
      links: many((at) => ({ url: `https://example.com/${at}` })),
    });
    expect([made.identifiers.length, made.links.length]).toEqual([listLength, listLength]);
  });

  it('has the confidence of its report, or an unknown one', () => {
    expect(finding({ confidence: 'high' }).confidence).toBe('high');
    expect(finding().confidence).toBe('unknown');
  });

  it('has web addresses of limited length, and nothing else, as links', () => {
    const longest = `https://example.com/${'x'.repeat(2048 - 20)}`;
    const addresses = ['http://example.com/a', longest, `${longest}x`, 'javascript:alert(1)', 'ftp://example.com', ''];
    expect(finding({ links: addresses.map((url) => ({ url })) }).links.map(({ url }) => url)).toEqual([
      'http://example.com/a',
      longest,
    ]);
    const urls = addresses.map((url) => finding({ identifiers: [{ ...identifier, url }] }).identifiers[0]!.url);
    expect(urls).toEqual(['http://example.com/a', longest, null, null, null, null]);
  });

  it('has only the known parts of its location, with texts of limited length', () => {
    const location = { file: 'a'.repeat(2000), start_line: 0, end_line: null, class: undefined, method: '' };
    expect(finding({ location }).location).toEqual({ file: 'a'.repeat(1024), start_line: 0 });
  });

  it('has texts without control characters and outer white space, null for empty ones', () => {
    const made = finding({
      title: ' \u0007A\u0000b\tc ',
      description: '\nline\n',
      message: '',
      solution: null,
      scanner: { ...scanner, vendor: 'V' },
    });
    expect(made).toMatchObject({ title: 'Ab\tc', description: 'line', message: null, solution: null });
    expect(finding({ title: '\u0007 ' }).title).toBe('Untitled');
    expect(made.scanner.vendor).toBe('V');
    expect(finding().scanner.vendor).toBeNull();
  });

  it('may have no identifier', () => {
    expect(finding({ identifiers: [] }).fingerprint).toBe(finding({ identifiers: [] }).fingerprint);
    expect(finding({ identifiers: [] }).fingerprint).not.toBe(finding().fingerprint);
  });
});

describe('the fingerprint of a finding', () => {
  const same = (type: ReportType, one: ReportedFinding['location'], other: ReportedFinding['location']) =>
    finding({ location: one }, type).fingerprint === finding({ location: other }, type).fingerprint;

  it.each<[ReportType, string, ReportedFinding['location'], ReportedFinding['location'], boolean]>([
    ['sast', 'another line', { file: 'a', start_line: 1 }, { file: 'a', start_line: 2 }, false],
    ['sast', 'another package', { file: 'a', package: 'b' }, { file: 'a', package: 'c' }, true],
    ['dependency_scanning', 'another line', { file: 'a', start_line: 1 }, { file: 'a', start_line: 2 }, true],
    ['dependency_scanning', 'another package', { file: 'a', package: 'b' }, { file: 'a', package: 'c' }, false],
    ['dependency_scanning', 'another version', { package: 'b', package_version: '1' }, { package: 'b' }, true],
    ['dast', 'another parameter', { hostname: 'h', param: 'a' }, { hostname: 'h', param: 'b' }, false],
    ['dast', 'another file', { hostname: 'h', file: 'a' }, { hostname: 'h', file: 'b' }, true],
    ['container_scanning', 'another package', { image: 'a', package: 'b' }, { image: 'a', package: 'c' }, false],
    ['container_scanning', 'another file', { image: 'a', file: 'b' }, { image: 'a', file: 'c' }, true],
    ['container_scanning', 'another image', { image: 'a' }, { image: 'b' }, false],
    ['container_scanning', 'another tag', { image: 'app:1' }, { image: 'app:2' }, true],
    ['container_scanning', 'no tag', { image: 'host:5000/app' }, { image: 'host:5000/app:2' }, true],
    ['container_scanning', 'another port', { image: 'host:5000/app' }, { image: 'host:5001/app' }, false],
    ['container_scanning', 'a digest', { image: 'group/app:1@sha256:00' }, { image: 'group/app' }, true],
    ['container_scanning', 'no image', {}, { image: '' }, true],
  ])('of %s with %s', (type, _what, one, other, isSame) => {
    expect(same(type, one, other)).toBe(isSame);
  });

  it('follows the mark of the report instead of the lines', () => {
    const at = (start_line: number, mark?: string) =>
      finding({ location: { file: 'a', start_line }, mark }).fingerprint;
    expect(at(1, 'x')).toBe(at(2, 'x'));
    expect(at(1, 'x')).not.toBe(at(1, 'y'));
  });

  it('differs by type, scanner and first identifier', () => {
    const all = [
      finding(),
      finding({}, 'secret_detection'),
      finding({ scanner: { ...scanner, id: 'other' } }),
      finding({ identifiers: [{ ...identifier, type: 'cwe' }] }),
      finding({ identifiers: [{ ...identifier, value: 'CVE-2020-2' }] }),
    ].map(({ fingerprint }) => fingerprint);
    expect(new Set(all).size).toBe(all.length);
    expect(finding({ identifiers: [identifier, { ...identifier, value: 'more' }] }).fingerprint).toBe(all[0]);
  });
});
