import { containerReport, cycloneDxReport, sarifReport, sastReport } from '../../test/reports';
import { readReport } from './read-report';

const limits = { documents: 3, depth: 50, textLength: 65_536, findings: 100, scanners: 3, findingBytes: 1024 ** 2 };

const read = (report: unknown, given?: Parameters<typeof readReport>[1]) =>
  readReport(
    (async function* () {
      yield Buffer.from(typeof report === 'string' ? report : JSON.stringify(report));
    })(),
    given,
    limits,
  );

const containerReport15 = (over: object) =>
  containerReport({
    version: '15.0.7',
    scan: { ...sastReport([]).scan, type: 'container_scanning' },
    vulnerabilities: containerReport().vulnerabilities.map((one) => ({ ...one, id: '1', ...over })),
  });

const sarifResult = (over: object) =>
  sarifReport({ runs: [{ tool: { driver: { name: 'a' } }, results: [{ message: { text: 'b' }, ...over }] }] });

describe('reports', () => {
  it('of the v4 interface are read', async () => {
    const { reportType, scans, findings } = await read(containerReport());
    expect(reportType).toBe('container_scanning');
    expect(scans).toEqual([{ reportType: 'container_scanning', scannerId: 'trivy' }]);
    expect(findings).toMatchObject([
      {
        title: 'CVE-2017-16997 in glibc',
        severity: 'critical',
        confidence: 'unknown',
        solution: 'Upgrade glibc to 2.27',
        location: { package: 'glibc', package_version: '2.24-11', operating_system: 'debian 9' },
        // A URL that would execute something is left out.
        links: [{ url: 'https://security-tracker.example.com/CVE-2017-16997' }],
      },
    ]);
  });

  it.each([
    ['High', 'high'],
    ['LOW', 'low'],
    ['certain', 'unknown'],
    [undefined, 'unknown'],
  ])('of the v4 interface with the confidence %s', async (confidence, expected) => {
    const [one] = containerReport().vulnerabilities;
    const { findings } = await read(containerReport({ vulnerabilities: [{ ...one, confidence }] }));
    expect(findings).toMatchObject([{ confidence: expected }]);
  });

  it('of the v4 interface have the scanner of the finding, else that of the scan', async () => {
    const [one] = containerReport().vulnerabilities;
    const scannerIds = async (own: object | undefined, scan: object | undefined) => {
      const report = containerReport({ scan, vulnerabilities: [{ ...one, scanner: own }] });
      return (await read(report, 'container_scanning')).findings[0]!.scanner.externalId;
    };
    const [own, usual] = [
      { id: 'own', name: 'Own' },
      { scanner: { id: 'usual', name: 'Usual' }, type: 'container_scanning' },
    ];
    expect(await scannerIds(own, usual)).toBe('own');
    expect(await scannerIds(undefined, usual)).toBe('usual');
    expect(await scannerIds(undefined, {})).toBe('unknown');
    expect(await scannerIds(undefined, undefined)).toBe('unknown');
  });

  it('of the v4 interface have a title from the first of name, message and identifier', async () => {
    const [one] = containerReport().vulnerabilities;
    const titleOf = async (over: object) =>
      (await read(containerReport({ vulnerabilities: [{ ...one, ...over }] }))).findings[0]!.title;
    expect(await titleOf({ name: 'Name', message: 'Message' })).toBe('Name');
    expect(await titleOf({ name: '', message: 'Message' })).toBe('Message');
    expect(await titleOf({ name: '', message: '' })).toBe('CVE-2017-16997');
  });

  it('of version 15 are read like earlier ones', async () => {
    const { findings } = await read(containerReport15({}));
    expect(findings).toMatchObject([{ severity: 'critical', location: { package: 'glibc' } }]);
  });

  it('of SARIF are read with the rules of their tool, at any place', async () => {
    const { reportType, scans, findings } = await read(sarifReport());
    expect(reportType).toBe('sast');
    expect(scans).toEqual([{ reportType: 'sast', scannerId: 'codeql' }]);
    expect(findings).toMatchObject([
      {
        title: 'Client-side cross-site scripting',
        severity: 'medium',
        location: { file: 'src/page.js', start_line: 12, end_line: 14 },
        identifiers: [
          { value: 'js/xss', url: 'https://example.com/js-xss' },
          { type: 'cwe', name: 'CWE-79' },
        ],
      },
      { title: 'A weak thing.', severity: 'low', identifiers: [{ value: 'js/weak' }] },
    ]);
  });

  describe.each<[string, object, object]>([
    [
      'by its index in an extension, as CodeQL does',
      { ruleId: 'js/sql', ruleIndex: 0, rule: { id: 'js/sql', index: 1, toolComponent: { index: 0 } } },
      { title: 'SQL injection', severity: 'high', identifiers: [{ value: 'js/sql' }, { name: 'CWE-89' }] },
    ],
    [
      'by the guid of an extension',
      { rule: { index: 1, toolComponent: { guid: 'e-1' } } },
      { title: 'SQL injection', identifiers: [{ value: 'js/sql' }, { name: 'CWE-89' }] },
    ],
    ['by its guid', { rule: { guid: 'r-1' } }, { title: 'Own rule', identifiers: [{ value: 'own' }] }],
    ['by a part of its id', { ruleId: 'own/part/1' }, { title: 'Own rule', identifiers: [{ value: 'own/part/1' }] }],
    ['by an id that only an extension has', { ruleId: 'js/sql' }, { title: 'SQL injection', severity: 'high' }],
    ['by an index that another id contradicts', { ruleId: 'js/sql', ruleIndex: 0 }, { title: 'SQL injection' }],
    ['not at all', { ruleId: 'unknown', ruleIndex: 9 }, { title: 'b', severity: 'medium' }],
  ])('of SARIF whose result names its rule %s', (_case, naming, expected) => {
    it('use the texts of the rule', async () => {
      const sql = {
        ...{ id: 'js/sql', shortDescription: { text: 'SQL injection' }, helpUri: 'https://example.com/sql' },
        properties: { 'security-severity': '8.8', tags: ['external/cwe/cwe-089'] },
      };
      const extension = { name: 'codeql/javascript-queries', guid: 'e-1', rules: [{ id: 'js/other' }, sql] };
      const driver = { name: 'CodeQL', rules: [{ id: 'own', guid: 'r-1', shortDescription: { text: 'Own rule' } }] };
      const run = { tool: { driver, extensions: [extension] }, results: [{ message: { text: 'b' }, ...naming }] };
      const { findings } = await read(sarifReport({ runs: [run] }));
      expect(findings).toMatchObject([expected]);
    });
  });

  it.each([
    ['the id of the rule', { id: 'CVE-2024-12345' }, {}],
    ['a part of the id', { id: 'CVE-2024-12345-openssl' }, {}],
    ['a tag', { id: 'a', properties: { tags: ['cve-2024-12345'] } }, {}],
    ['a property of the rule', { id: 'a', properties: { cve: ['CVE-2024-12345'] } }, {}],
    ['a property of the result', { id: 'a' }, { properties: { vulnerability: 'CVE-2024-12345' } }],
    ['the address of the help', { id: 'a', helpUri: 'https://avd.example.com/nvd/cve-2024-12345' }, {}],
  ])('of SARIF have the CVE in %s', async (_where, rule, over) => {
    const result = { ruleId: rule.id, message: { text: 'b' }, ...over };
    const run = { tool: { driver: { name: 'Trivy', rules: [rule] } }, results: [result] };
    const { findings } = await read(sarifReport({ runs: [run] }));
    const [, cve] = findings[0]!.identifiers;
    expect(cve).toMatchObject({ type: 'cve', name: 'CVE-2024-12345', value: 'CVE-2024-12345' });
  });

  it('of SARIF count other results than findings, by reason', async () => {
    const message = { text: 'b' };
    const results = [
      { message },
      { message },
      { message, kind: 'pass' },
      { message, kind: 'informational' },
      { message, baselineState: 'absent' },
      { message, suppressions: [{ kind: 'external', status: 'accepted' }] },
      { message, suppressions: [{ kind: 'external', status: 'underReview' }] },
    ];
    const { leftOut, findings } = await read({
      version: '2.1.0',
      runs: [{ tool: { driver: { name: 'a' } }, results }],
    });
    expect(findings).toHaveLength(1);
    expect(leftOut).toEqual([
      { reason: 'repeated', count: 2 },
      { reason: 'not_failed', count: 2 },
      { reason: 'absent', count: 1 },
      { reason: 'suppressed', count: 1 },
    ]);
    expect((await read(sastReport([]))).leftOut).toEqual([]);
  });

  it('of SARIF may have objects for fingerprints, and their own names for CWE, as Black Duck writes them', async () => {
    const result = {
      message: { text: 'b' },
      fingerprints: { csvRowSha256: { value: 'aaaa' } },
      properties: { cwe: ['CWE-79'] },
      fixes: [{ description: { text: 'Upgrade lib to 2.' } }],
    };
    const other = { ...result, fingerprints: { csvRowSha256: { value: 'bbbb' } } };
    const { findings } = await read({
      version: '2.1.0',
      runs: [{ tool: { driver: { name: 'a' } }, results: [result, other] }],
    });
    expect(findings).toHaveLength(2);
    expect(findings[0]).toMatchObject({
      solution: 'Upgrade lib to 2.',
      identifiers: [{ type: 'a_rule_id' }, { type: 'cwe', value: '79' }],
    });
  });

  it('of SARIF insert the arguments of a message, as BinSkim writes them, up to a limit', async () => {
    const rules = [{ id: 'BA1', messageStrings: { Error: { text: '{1} in {0}, not {2}' } } }];
    const runs = (message: object | null | undefined) => [
      { tool: { driver: { name: 'BinSkim', rules } }, results: [{ ruleId: 'BA1', message }] },
    ];
    const saidOf = async (message: object | null | undefined) =>
      (await read(sarifReport({ runs: runs(message) }))).findings[0]?.message;
    expect(await saidOf({ id: 'Error', arguments: ['a.dll', '{0}'] })).toBe('{0} in a.dll, not {2}');
    expect(await saidOf({ text: 'no {0}' })).toBe('no {0}');
    // Expanded each time, it would exceed the maximum length of a string.
    expect(await saidOf({ text: `a${'{0}'.repeat(20_000)}b`, arguments: ['x'.repeat(60_000)] })).toBe('ab');
    // Flawfinder and CSCAN omit it.
    expect([await saidOf(null), await saidOf(undefined)]).toEqual([null, null]);
  });

  it('of SARIF omit a result with an accepted suppression, and no other', async () => {
    const countOf = async (...statuses: string[]) =>
      (await read(sarifResult({ suppressions: statuses.map((status) => ({ kind: 'external', status })) }))).leftOut;
    expect(await countOf('rejected', 'accepted')).toEqual([{ reason: 'suppressed', count: 1 }]);
    expect([await countOf('rejected', 'underReview'), await countOf()]).toEqual([[], []]);
  });

  it.each([
    ['an empty location', { locations: [{}] }],
    ['no location', { locations: [] }],
    ['a location without a file', { locations: [{ physicalLocation: {} }] }],
    ['an empty fix', { fixes: [{}] }],
    ['no fix', { fixes: [] }],
    ['an unknown message of an unknown rule', { message: { id: 'x' }, ruleId: 'unknown' }],
  ])('of SARIF may have a result with %s', async (_what, over) => {
    const { findings } = await read(sarifResult(over));
    expect(findings).toMatchObject([{ location: {}, solution: null }]);
  });

  it('of SARIF may refer to a message that their rule does not have', async () => {
    const titleOf = async (rule: object) => {
      const result = { ruleId: 'a', message: { id: 'x' } };
      const run = { tool: { driver: { name: 'a', rules: [{ id: 'a', ...rule }] } }, results: [result] };
      return (await read(sarifReport({ runs: [run] }))).findings[0]!.title;
    };
    expect([await titleOf({}), await titleOf({ messageStrings: {} })]).toEqual(['a', 'a']);
    expect(await titleOf({ messageStrings: { x: { text: 'said' } } })).toBe('said');
  });

  it('of SARIF have the description of the rule, or the message', async () => {
    const descriptionOf = async (rule: object) => {
      const result = { ruleId: 'a', message: { text: 'said' } };
      const run = { tool: { driver: { name: 'a', rules: [{ id: 'a', ...rule }] } }, results: [result] };
      return (await read(sarifReport({ runs: [run] }))).findings[0]!.description;
    };
    expect(await descriptionOf({ fullDescription: { text: 'whole' } })).toBe('whole');
    expect(await descriptionOf({})).toBe('said');
  });

  it('of SARIF identify a finding by its fingerprints, in any order, else by its lines', async () => {
    const at = (startLine: number, over: object) => ({
      ...{ message: { text: 'b' }, ruleId: 'r', ...over },
      locations: [{ physicalLocation: { artifactLocation: { uri: 'a' }, region: { startLine } } }],
    });
    const countOf = async (...results: object[]) =>
      (await read(sarifReport({ runs: [{ tool: { driver: { name: 'a' } }, results }] }))).findings.length;
    const [one, other] = [
      { a: '1', b: '2' },
      { b: '2', a: '1' },
    ];
    expect(await countOf(at(1, { fingerprints: one }), at(2, { fingerprints: other }))).toBe(1);
    expect(await countOf(at(1, { fingerprints: one }), at(2, { partialFingerprints: other }))).toBe(1);
    expect(await countOf(at(1, { fingerprints: one }), at(1, { fingerprints: { a: '2' } }))).toBe(2);
    expect(await countOf(at(1, {}), at(2, {}))).toBe(2);
    expect(await countOf(at(1, { fingerprints: {} }), at(2, { fingerprints: {} }))).toBe(2);
  });

  it('of SARIF find identifiers only at the beginning of long texts, and in texts', async () => {
    const named = async (properties: object) =>
      (await read(sarifResult({ properties }))).findings[0]!.identifiers.slice(1).map(({ name }) => name);
    expect(await named({ a: `${' '.repeat(2040)}CVE-2024-12345` })).toEqual([]);
    expect(await named({ a: `${' '.repeat(2000)}CVE-2024-12345` })).toEqual(['CVE-2024-12345']);
    expect(await named({ a: [7, { text: 'CVE-2024-12345' }, 'CWE-79'] })).toEqual(['CWE-79']);
    const last = [...Array.from({ length: 100 }, () => 'x'), 'CWE-79'];
    expect([await named({ tags: last }), await named({ tags: last.slice(1) })]).toEqual([[], ['CWE-79']]);
  });

  it('of SARIF find the component of a rule by its name', async () => {
    const extensions = [
      { name: 'one', rules: [{ id: 'a', shortDescription: { text: 'Of one' } }] },
      { name: 'two', rules: [{ id: 'a', shortDescription: { text: 'Of two' } }] },
    ];
    const titleOf = async (rule: object, ruleIndex?: number) => {
      const driver = { name: 'd', rules: [{ id: 'b' }, { id: 'a', shortDescription: { text: 'Of the driver' } }] };
      const run = { tool: { driver, extensions }, results: [{ message: { text: 'b' }, rule, ruleIndex }] };
      return (await read(sarifReport({ runs: [run] }))).findings[0]!.title;
    };
    expect(await titleOf({ id: 'a', toolComponent: { name: 'two' } })).toBe('Of two');
    expect(await titleOf({ id: 'a', toolComponent: { index: 1 } })).toBe('Of two');
    expect(await titleOf({ id: 'a', toolComponent: { name: 'unknown' } })).toBe('Of the driver');
    expect(await titleOf({ id: 'a' })).toBe('Of the driver');
    // Without an id and an index it is not a rule.
    expect(await titleOf({})).toBe('b');
  });

  it.each([
    ['a part of its id', { ruleId: 'a/1', ruleIndex: 0 }, 'By index'],
    ['its id', { ruleId: 'a', ruleIndex: 0 }, 'By index'],
    ['another id', { ruleId: 'x/a', ruleIndex: 0 }, 'b'],
  ])('of SARIF use the rule at an index for %s', async (_what, naming, title) => {
    const rules = [{ id: 'a', shortDescription: { text: 'By index' } }];
    const run = { tool: { driver: { name: 'd', rules } }, results: [{ message: { text: 'b' }, ...naming }] };
    expect((await read(sarifReport({ runs: [run] }))).findings[0]!.title).toBe(title);
  });

  it('of SARIF accept a baseline state of an older version', async () => {
    const { findings, leftOut } = await read(sarifResult({ baselineState: 'existing' }));
    expect([findings.length, leftOut]).toEqual([1, []]);
  });

  it('may begin with a byte order mark, as tools of .NET write it', async () => {
    expect((await read(`\ufeff${JSON.stringify(sarifResult({}))}`)).findings).toHaveLength(1);
  });

  it('of SARIF name a file by its place in the list of the run', async () => {
    const at = (index: number) => ({ locations: [{ physicalLocation: { artifactLocation: { index } } }] });
    const results = [0, 1, 2, -1].map((index) => ({ ruleId: `r${index}`, message: { text: 'b' }, ...at(index) }));
    const artifacts = [{ location: { uri: 'a.cs' } }, { roles: ['analysisTarget'] }];
    const { findings } = await read({
      ...{ version: '2.1.0', runs: [{ tool: { driver: { name: 'a' } }, artifacts, results }] },
    });
    expect(findings.map(({ location }) => location)).toEqual([{ file: 'a.cs' }, {}, {}, {}]);
  });

  it('of CycloneDX contain affected components, and count others', async () => {
    const { reportType, findings, leftOut } = await read(cycloneDxReport());
    expect(reportType).toBe('dependency_scanning');
    expect(leftOut).toEqual([{ reason: 'not_affected', count: 1 }]);
    expect(findings).toMatchObject([
      { title: 'CVE-2020-8203', severity: 'high', location: { package: 'lodash', package_version: '4.17.15' } },
      {
        title: 'CVE-2020-8203',
        location: { package: '@scope/part' },
        identifiers: [{ type: 'cve' }, { value: '1321' }],
      },
    ]);
  });

  it('of CycloneDX have aliases of a vulnerability, and ranges of versions', async () => {
    const vulnerability = {
      id: 'GHSA-1',
      references: [
        { id: 'GHSA-1', source: {} },
        { id: 'CVE-2021-44228', source: { url: 'https://nvd.nist.gov/vuln/detail/CVE-2021-44228' } },
      ],
      affects: [
        {
          ref: 'pkg:npm/lodash@4.17.15',
          versions: [
            { version: '1', status: 'unaffected' },
            { range: 'x', status: 'affected' },
          ],
        },
        { ref: 'b', versions: [{ version: '1.0.0', status: 'unaffected' }] },
      ],
    };
    const resolved = { id: 'CVE-2000-0002', analysis: { state: 'resolved' } };
    const { findings, leftOut } = await read(cycloneDxReport({ vulnerabilities: [vulnerability, resolved] }));
    expect(findings).toMatchObject([
      {
        title: 'GHSA-1',
        location: { package: 'lodash' },
        identifiers: [
          { type: 'ghsa', value: 'GHSA-1' },
          { type: 'cve', value: 'CVE-2021-44228', url: 'https://nvd.nist.gov/vuln/detail/CVE-2021-44228' },
        ],
      },
    ]);
    expect(leftOut).toEqual([
      { reason: 'not_affected', count: 1 },
      { reason: 'resolved', count: 1 },
    ]);
  });

  it('of CycloneDX have one text for both, if they have only one', async () => {
    const textsOf = async (over: object) => {
      const { findings } = await read(cycloneDxReport({ vulnerabilities: [{ id: 'CVE-1', ...over }] }));
      return [findings[0]!.description, findings[0]!.message];
    };
    expect(await textsOf({ description: 'short', detail: 'long' })).toEqual(['short', 'long']);
    expect(await textsOf({ description: 'short' })).toEqual(['short', 'short']);
    expect(await textsOf({ detail: 'long' })).toEqual(['long', 'long']);
  });

  it('of CycloneDX need neither metadata nor components', async () => {
    const over = { metadata: undefined, components: undefined, vulnerabilities: [{ id: 'CVE-1', ratings: [{}] }] };
    expect((await read(cycloneDxReport(over))).findings).toMatchObject([{ severity: 'unknown', title: 'CVE-1' }]);
  });

  it.each([
    ['by a score of CVSS', [{ score: 9.1, method: 'CVSSv31' }, { score: 4 }], 'critical'],
    ['by its severity, not by how likely an exploit is', [{ severity: 'low' }, { score: 1, method: 'other' }], 'low'],
    ['unknown, where that is all', [{ score: 1, method: 'other' }], 'unknown'],
  ])('of CycloneDX are %s', async (_, ratings, severity) => {
    const { findings } = await read(cycloneDxReport({ vulnerabilities: [{ id: 'CVE-1', ratings }] }));
    expect(findings).toMatchObject([{ severity }]);
  });

  it('of CycloneDX find components in components, and the one that it is about', async () => {
    const inner = { type: 'library', 'bom-ref': 'inner', name: 'log4j-core', version: '2.13.2' };
    const outer = { type: 'library', 'bom-ref': 'outer', name: 'log4j', components: [{ ...inner, components: null }] };
    const about = { type: 'container', 'bom-ref': 'image', name: 'app', version: '3' };
    const { findings } = await read(
      cycloneDxReport({
        metadata: { component: about },
        components: [outer],
        vulnerabilities: [{ id: 'CVE-1', affects: [{ ref: 'inner' }, { ref: 'image' }] }],
      }),
    );
    expect(findings.map(({ location }) => location)).toEqual([
      { package: 'log4j-core', package_version: '2.13.2' },
      { package: 'app', package_version: '3' },
    ]);
  });

  it.each([
    ['another name', { references: [{ id: 'GHSA-1', source: {} }], description: 'a hole' }, 'GHSA-1'],
    ['what it says', { description: 'a hole', 'bom-ref': 'v1' }, 'a hole'],
    ['what its file calls it', { 'bom-ref': 'v1' }, 'v1'],
    ['nothing', {}, 'Unknown'],
  ])('of CycloneDX may have no number, but %s', async (_, vulnerability, expected) => {
    const { findings } = await read(cycloneDxReport({ vulnerabilities: [vulnerability] }));
    expect(findings).toMatchObject([{ title: expected, identifiers: [{ value: expected }] }]);
  });

  it('may be several files in one, as runners pack a list of them', async () => {
    const [one, other] = ['CVE-1', 'CVE-2'].map((id) => JSON.stringify(cycloneDxReport({ vulnerabilities: [{ id }] })));
    const { scans, findings } = await read(`${one}${other}\n${one}`);
    expect(findings.map(({ title }) => title)).toEqual(['CVE-1', 'CVE-2']);
    expect(scans).toEqual([{ reportType: 'dependency_scanning', scannerId: 'grype' }]);
    await expect(read(`${one}${JSON.stringify(sastReport([]))}`)).rejects.toThrow('of several kinds');
    await expect(read(`${one}{}`)).rejects.toThrow('it is of no known format');
    await expect(read(`${one}${one}${one}${one}`)).rejects.toThrow('more than 3 documents');
    const eighty = JSON.stringify(sastReport(Array.from({ length: 80 }, (_, line) => ({ file: 'a', line }))));
    await expect(read(`${eighty}${eighty}`)).rejects.toThrow('more than 100 findings');
  });

  it('identify a finding again', async () => {
    const fingerprint = async (report: unknown) => (await read(report)).findings[0]?.fingerprint;
    const hole = { file: 'a.js', line: 3 };
    const first = await fingerprint(sastReport([hole]));
    expect(await fingerprint(sastReport([{ ...hole, severity: 'Low' }]))).toBe(first);
    expect(await fingerprint(sastReport([{ ...hole, line: 4 }]))).not.toBe(first);
    expect((await read(sastReport([hole, hole]))).findings).toHaveLength(1);
    // Each build has another tag.
    const image = JSON.stringify(containerReport());
    expect(await fingerprint(image.replace(':1a2b3c', ':4d5e6f'))).toBe(await fingerprint(image));
    // Its lines have moved.
    const sarif = JSON.stringify(sarifReport());
    expect(await fingerprint(sarif.replace('"startLine":12', '"startLine":20'))).toBe(await fingerprint(sarif));
  });

  it('may have another type than usual if they name none', async () => {
    expect((await read(sarifReport(), 'secret_detection')).reportType).toBe('secret_detection');
    expect((await read(cycloneDxReport(), 'container_scanning')).reportType).toBe('container_scanning');
    await expect(read(sastReport([]), 'dast')).rejects.toThrow('it is of the kind sast, not dast');
    await expect(read({ version: '14.0.0', vulnerabilities: [] })).rejects.toThrow('report_type is needed');
    expect((await read({ version: '14.0.0', vulnerabilities: [] }, 'dast')).findings).toEqual([]);
  });

  it.each<[string, unknown, string]>([
    ['nothing', '', 'it is not JSON'],
    ['another thing', 'version: 15', 'it is not JSON'],
    ['a list', [], 'it is of no known format'],
    ['an object', { a: 1 }, 'it is of no known format'],
    ['an unknown version', sastReport([], { version: '16.0.0' }), 'version is of no known version'],
    ['no version', sastReport([], { version: undefined }), 'it is no JSON report: version'],
    ['an unknown SARIF', sarifReport({ version: '2.0.0' }), 'it is no SARIF 2.1.0: version is of no known version'],
    ['an old CycloneDX', cycloneDxReport({ specVersion: '1.3' }), 'specVersion is of no known version'],
    ['an unknown kind', sastReport([], { version: '14.0.0', scan: { type: 'coverage' } }), 'of the kind "coverage"'],
    [
      'a kind that every object has',
      sastReport([{ file: 'a', line: 1 }], { scan: { ...sastReport([]).scan, type: 'constructor' } }),
      'of the kind "constructor"',
    ],
    ['findings that are none', sastReport([], { vulnerabilities: [1] }), 'vulnerabilities[0]'],
    ['findings that are no list', sastReport([], { vulnerabilities: {} }), 'vulnerabilities'],
    [
      'a finding without identifiers',
      containerReport({ vulnerabilities: [{ identifiers: [], location: {} }] }),
      '[0].identifiers',
    ],
    [
      'a scan without its times',
      sastReport([], { scan: { ...sastReport([]).scan, end_time: undefined } }),
      'scan.end_time',
    ],
    [
      'a scan at no time',
      sastReport([], { scan: { ...sastReport([]).scan, start_time: 'now' } }),
      'scan.start_time is no time',
    ],
    ['a scan by nobody', sastReport([], { scan: { ...sastReport([]).scan, analyzer: null } }), 'scan.analyzer'],
    ['no scan', sastReport([], { scan: undefined }), 'it is no JSON report: scan'],
    ['an unknown severity', sastReport([{ file: 'a', line: 1, severity: 'worst' }]), 'vulnerabilities[0].severity'],
    ['a package nowhere', containerReport15({ location: { image: 'a:1' } }), 'vulnerabilities[0].location.dependency'],
    ['a finding without a number', containerReport15({ id: '' }), 'vulnerabilities[0].id'],
    [
      'a line before the first',
      sarifResult({ locations: [{ physicalLocation: { region: { startLine: 0 } } }] }),
      'startLine',
    ],
    ['a result that says nothing', sarifResult({ message: {} }), 'message needs text or id'],
    ['a result of an unknown kind', sarifResult({ kind: 'maybe' }), 'results[0].kind'],
    ['a suppression from nowhere', sarifResult({ suppressions: [{ status: 'accepted' }] }), 'suppressions[0].kind'],
    ['a component of no type', cycloneDxReport({ components: [{ name: 'a' }] }), 'components[0].type'],
    [
      'an unknown rating',
      cycloneDxReport({ vulnerabilities: [{ id: 'a', ratings: [{ severity: 'bad' }] }] }),
      'ratings[0].severity',
    ],
    [
      'of too many scanners',
      sarifReport({ runs: [1, 2, 3, 4].map((nth) => ({ tool: { driver: { name: `tool ${nth}` } } })) }),
      'more than 3 scanners',
    ],
    [
      'too many',
      sastReport(Array.from({ length: 101 }, (_, line) => ({ file: 'a', line }))),
      'a list of more than 100',
    ],
    [
      'too many by what they affect',
      cycloneDxReport({
        vulnerabilities: [{ id: 'CVE-1', affects: Array.from({ length: 101 }, (_, at) => ({ ref: `r${at}` })) }],
      }),
      'more than 100 findings',
    ],
  ])('are refused when they are %s', async (_, report, problem) => {
    await expect(read(report)).rejects.toThrow(problem);
  });

  it('contain no characters that cannot be displayed, and limited texts', async () => {
    const name = `a\0b\u001b[31m\ud800c${'x'.repeat(1000)}`;
    const { findings } = await read(sastReport([{ file: '../../etc/passwd', line: 1, name }]));
    expect(findings[0]?.title).toMatch(/^ab\[31m\ufffdcx+$/);
    expect(findings[0]?.title.length).toBeLessThanOrEqual(255);
    expect(findings[0]?.location.file).toBe('../../etc/passwd');
  });
});
