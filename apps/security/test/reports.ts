/* Reports in the documented formats of scanners. */

export interface Hole {
  file: string;
  line: number;
  name?: string;
  severity?: string;
}

/** A report of static analysis, by the JSON schema of the v4 interface. */
export const sastReport = (holes: readonly Hole[], over: object = {}) => ({
  version: '15.0.7',
  scan: {
    analyzer: { id: 'semgrep', name: 'Semgrep', vendor: { name: 'v4' }, version: '4.4.0' },
    scanner: { id: 'semgrep', name: 'Semgrep', version: '1.50.0', vendor: { name: 'v4' } },
    type: 'sast',
    start_time: '2026-01-01T00:00:00',
    end_time: '2026-01-01T00:01:00',
    status: 'success',
  },
  vulnerabilities: holes.map(({ file, line, name = 'SQL injection', severity = 'High' }) => ({
    id: `${file}-${line}`,
    category: 'sast',
    name,
    description: `User input goes into a query.\nIn "${file}", line ${line}.`,
    cve: `semgrep_id:${name}:${line}:${line}`,
    severity,
    confidence: 'Medium',
    scanner: { id: 'semgrep', name: 'Semgrep' },
    location: { file, start_line: line },
    identifiers: [
      { type: 'semgrep_id', name: `rules.${name}`, value: `rules.${name}`, url: 'https://semgrep.dev/r/rules' },
      { type: 'cwe', name: 'CWE-89', value: '89', url: 'https://cwe.mitre.org/data/definitions/89.html' },
    ],
  })),
  remediations: [],
  ...over,
});

/** A report of the packages in an image. */
export const containerReport = (over: object = {}) => ({
  version: '14.0.4',
  scan: {
    scanner: { id: 'trivy', name: 'Trivy', vendor: { name: 'Aqua' } },
    type: 'container_scanning',
    status: 'success',
  },
  vulnerabilities: [
    {
      category: 'container_scanning',
      message: 'CVE-2017-16997 in glibc',
      description: 'elf/dl-load.c mishandles RPATH and RUNPATH.',
      severity: 'Critical',
      confidence: 'Unknown',
      solution: 'Upgrade glibc to 2.27',
      scanner: { id: 'trivy', name: 'Trivy' },
      location: {
        image: 'registry.example.com/group/app:1a2b3c',
        operating_system: 'debian 9',
        dependency: { package: { name: 'glibc' }, version: '2.24-11' },
      },
      identifiers: [
        { type: 'cve', name: 'CVE-2017-16997', value: 'CVE-2017-16997', url: 'https://cve.example.com/CVE-2017-16997' },
      ],
      links: [{ url: 'https://security-tracker.example.com/CVE-2017-16997' }, { url: 'javascript:alert(1)' }],
    },
  ],
  ...over,
});

export const sarifReport = (over: object = {}) => ({
  $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
  version: '2.1.0',
  runs: [
    {
      // Results before the tool with their rules.
      results: [
        {
          ruleId: 'js/xss',
          ruleIndex: 0,
          level: 'error',
          message: { text: 'Cross-site scripting vulnerability due to user-provided value.' },
          locations: [
            { physicalLocation: { artifactLocation: { uri: 'src/page.js' }, region: { startLine: 12, endLine: 14 } } },
          ],
          partialFingerprints: { primaryLocationLineHash: '39fa2ee980eb94b0:1' },
        },
        {
          ruleIndex: 1,
          message: { id: 'default' },
          locations: [{ physicalLocation: { artifactLocation: { uri: 'src/other.js' }, region: { startLine: 3 } } }],
        },
        { ruleId: 'js/xss', kind: 'pass', message: { text: 'nothing here' } },
        { ruleId: 'js/xss', message: { text: 'accepted' }, suppressions: [{ kind: 'inSource' }] },
      ],
      tool: {
        driver: {
          name: 'CodeQL',
          organization: 'Example',
          rules: [
            {
              id: 'js/xss',
              name: 'js/xss',
              shortDescription: { text: 'Client-side cross-site scripting' },
              fullDescription: { text: 'Writing user input to the page allows cross-site scripting.' },
              helpUri: 'https://example.com/js-xss',
              properties: { tags: ['security', 'external/cwe/cwe-079'], 'security-severity': '6.1' },
            },
            {
              id: 'js/weak',
              defaultConfiguration: { level: 'note' },
              messageStrings: { default: { text: 'A weak thing.' } },
            },
          ],
        },
      },
    },
  ],
  ...over,
});

export const cycloneDxReport = (over: object = {}) => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.5',
  version: 1,
  metadata: { tools: { components: [{ type: 'application', name: 'grype', version: '0.74.0' }] } },
  components: [
    { type: 'library', 'bom-ref': 'pkg:npm/lodash@4.17.15', name: 'lodash', version: '4.17.15' },
    { type: 'library', 'bom-ref': 'b', group: '@scope', name: 'part', version: '1.0.0' },
  ],
  vulnerabilities: [
    {
      id: 'CVE-2020-8203',
      source: { name: 'NVD', url: 'https://nvd.nist.gov/vuln/detail/CVE-2020-8203' },
      ratings: [{ severity: 'medium' }, { score: 7.4, method: 'CVSSv31' }],
      cwes: [1321],
      description: 'Prototype pollution',
      recommendation: 'Upgrade lodash to 4.17.19',
      advisories: [{ title: 'GHSA', url: 'https://github.com/advisories/GHSA-p6mc-m468-83gw' }],
      affects: [{ ref: 'pkg:npm/lodash@4.17.15' }, { ref: 'urn:cdx:3e671687-395b-41f5-a30f-a58921a69b79/1#b' }],
    },
    { id: 'CVE-2000-0001', analysis: { state: 'false_positive' }, affects: [{ ref: 'b' }] },
  ],
  ...over,
});
