import { parse } from 'csv-parse/sync';
import { ask, clientFor, connection, newUser, uniqueName } from '../server/connection';
import { until } from '../server/until';
import { containerReport, sarifReport } from './reports';

/* Exports of vulnerabilities by raw calls, read by an independent CSV library. */

const api = (token: string, path: string, init: RequestInit = {}) => ask(`/api/v4${path}`, { ...init, token });
const postForm = (token: string, path: string, given: Record<string, string> = {}) =>
  api(token, path, { method: 'POST', body: new URLSearchParams(given) });

const hostile = [
  '=HYPERLINK("http://evil.example")',
  '-2+3',
  '@SUM(1)',
  'two\nlines, "quoted"',
  'ünï 😀',
  '+1',
  "it's",
];

/** Cells that a spreadsheet would execute have an additional apostrophe. */
const plain = (cell: string): string => (/^'\s*[=+\-@]/.test(cell) ? cell.slice(1) : cell);

async function scanned(token: string, given: object = {}) {
  const project = await clientFor(token).Projects.create({ name: uniqueName('scanned'), ...given });
  const [pattern] = sarifReport.runs[0]!.results;
  const results = hostile.map((text, at) => ({ ...pattern!, ruleId: `rule-${at}`, message: { text } }));
  const sarif = { ...sarifReport, runs: [{ ...sarifReport.runs[0]!, results }] };
  for (const report of [containerReport, sarif]) {
    const body = new FormData();
    body.set('file', new Blob([JSON.stringify(report)]), 'report.json');
    expect((await api(token, `/projects/${project.id}/security_reports`, { method: 'POST', body })).status).toBe(202);
  }
  const found = await until('the vulnerabilities', async () => {
    const all = (await (await api(token, `/projects/${project.id}/vulnerabilities?per_page=100`)).json()) as Row[];
    return all.length === hostile.length + 1 ? all : undefined;
  });
  return { project, found };
}

interface Row {
  title: string;
  description: string;
  state: string;
  severity: string;
  report_type: string;
  finding: { scanner: { name: string }; message: string | null; identifiers: { type: string; name: string }[] };
}

/** Its job waits behind those of other tests. */
const patienceMs = 60_000;

async function download(token: string, id: number): Promise<Response> {
  const ask = async () => {
    const answer = await api(token, `/security/vulnerability_exports/${id}`);
    if (answer.status === 200) return true;
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([202, '5']);
    return undefined;
  };
  await until('the export', ask, patienceMs);
  return api(token, `/security/vulnerability_exports/${id}/download`);
}

describe('exports of vulnerabilities', () => {
  it('are switched on by administrators', async () => {
    const { token, username } = await newUser('developer');
    const { id } = await clientFor(token).Projects.create({ name: uniqueName('scanned') });
    const url = `/security/projects/${id}/vulnerability_exports`;
    expect((await postForm(token, url)).status).toBe(404);
    const flag = '/features/first_class_vulnerabilities';
    expect((await postForm(token, flag, { value: 'true' })).status).toBe(403);
    await switchOn(username);
    expect((await postForm(token, url)).status).toBe(201);
  });

  it('contain the vulnerabilities of the project', async () => {
    const { token, username } = await newUser('developer');
    await switchOn(username);
    const { project, found } = await scanned(token);
    const url = `/security/projects/${encodeURIComponent(project.path_with_namespace)}/vulnerability_exports`;
    const first = await postForm(token, url);
    const again = await postForm(token, url);
    expect([first.status, again.status]).toEqual([201, 201]);
    const created = (await first.json()) as { id: number; project_id: number };
    const { id: otherId } = (await again.json()) as { id: number };
    expect(created.project_id).toBe(project.id);
    const answer = await download(token, created.id);
    expect(answer.headers.get('content-type')).toContain('text/csv');
    expect(answer.headers.get('content-disposition')).toContain(
      `filename="${project.path_with_namespace.replaceAll('/', '-')}_vulnerabilities_`,
    );
    const text = await answer.text();
    expect(await (await download(token, otherId)).text()).toBe(text);
    const rows = parse(text, { columns: true }) as Record<string, string>[];
    const expected = found.map(({ title, description, state, severity, report_type, finding }) => ({
      'Group Name': '',
      'Project Name': project.name,
      'Scanner Type': report_type,
      'Scanner Name': finding.scanner.name,
      Status: state,
      Vulnerability: title,
      Details: description,
      'Additional Info': finding.message ?? '',
      Severity: severity,
      CVE: finding.identifiers.find(({ type }) => type === 'cve')?.name ?? '',
    }));
    const sorted = (all: object[]) => all.map((row) => JSON.stringify(row)).sort();
    const read = rows.map((row) => Object.fromEntries(Object.entries(row).map(([name, cell]) => [name, plain(cell)])));
    expect(sorted(read)).toEqual(sorted(expected));
    expect(rows.every((row) => Object.values(row).every((cell) => !/^[=+\-@]/.test(cell)))).toBe(true);
    expect(rows[0]).toMatchObject({ Severity: 'critical' });
    const stranger = await newUser('stranger');
    await switchOn(stranger.username);
    expect((await api(stranger.token, `/security/vulnerability_exports/${created.id}`)).status).toBe(404);
    expect((await postForm(stranger.token, url)).status).toBe(404);
    await clientFor(token).ProjectMembers.add(project.id, 20, { userId: stranger.id });
    expect((await postForm(stranger.token, url)).status).toBe(403);
    expect((await ask(`/api/v4/security/vulnerability_exports/${created.id}`)).status).toBe(401);
  });

  it('contain the vulnerabilities of groups and dashboards', async () => {
    const { token, username } = await newUser('owner');
    await switchOn(username);
    const client = clientFor(token);
    const name = uniqueName('group');
    const group = await client.Groups.create(name, name);
    const below = await client.Groups.create('below', 'below', { parentId: group.id });
    const { project } = await scanned(token, { namespaceId: below.id });
    await postForm(token, '/security/projects', { project_id: String(project.id) });
    for (const url of [`/security/groups/${group.id}/vulnerability_exports`, '/security/vulnerability_exports']) {
      const { id } = (await (await postForm(token, url)).json()) as { id: number };
      const rows = parse(await (await download(token, id)).text(), { columns: true }) as Record<string, string>[];
      expect(rows).toHaveLength(hostile.length + 1);
      expect(rows[0]).toMatchObject({ 'Group Name': 'below', 'Project Name': project.name });
    }
  });
});

/** For one user, so that others see the feature disabled. */
async function switchOn(username: string): Promise<void> {
  const answer = await postForm(connection.token, '/features/first_class_vulnerabilities', {
    value: 'true',
    user: username,
  });
  expect(answer.status).toBe(201);
}
