/* Reports in the documented formats of scanners. */

const identifier = (name: string) => ({ type: 'cve', name, value: name, url: `https://cve.example.com/${name}` });

/** Packages in an image, by the JSON schema of the v4 interface. */
export const containerReport = {
  version: '15.0.7',
  scan: {
    analyzer: { id: 'gcs', name: 'Container Scanning', version: '6.0.0', vendor: { name: 'v4' } },
    scanner: { id: 'trivy', name: 'Trivy', version: '0.48.0', vendor: { name: 'Aqua' } },
    type: 'container_scanning',
    start_time: '2026-01-01T00:00:00',
    end_time: '2026-01-01T00:01:00',
    status: 'success',
  },
  vulnerabilities: [
    {
      id: '1',
      name: 'CVE-2017-16997 in glibc',
      description: 'elf/dl-load.c mishandles RPATH and RUNPATH.',
      severity: 'Critical',
      solution: 'Upgrade glibc to 2.27',
      identifiers: [identifier('CVE-2017-16997')],
      location: {
        image: 'registry.example.com/group/app:1a2b3c',
        operating_system: 'debian 9',
        dependency: { package: { name: 'glibc' }, version: '2.24-11' },
      },
    },
  ],
};

/** Static analysis, by SARIF. */
export const sarifReport = {
  $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
  version: '2.1.0',
  runs: [
    {
      tool: {
        driver: {
          name: 'CodeQL',
          rules: [{ id: 'js/xss', shortDescription: { text: 'Client-side cross-site scripting' } }],
        },
      },
      results: [1, 2].map((startLine) => ({
        ruleId: 'js/xss',
        level: 'error',
        message: { text: 'Cross-site scripting vulnerability due to user-provided value.' },
        locations: [{ physicalLocation: { artifactLocation: { uri: 'src/page.js' }, region: { startLine } } }],
      })),
    },
  ],
};
