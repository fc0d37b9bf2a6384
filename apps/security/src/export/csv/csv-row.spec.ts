import { type ExportedFields, rowOf } from './csv-row';

const found: ExportedFields = {
  reportType: 'sast',
  scanner: { externalId: 'semgrep', name: 'Semgrep', vendor: null },
  state: 'detected',
  title: 'SQL injection',
  description: 'two\nlines, "quoted"',
  message: null,
  severity: 'high',
  cve: 'CVE-2020-1',
};
const names = { groupName: 'Group', projectName: 'App' };

describe('a row of an export', () => {
  it('has the columns of its header', () =>
    expect(rowOf(found, names)).toEqual([
      'Group',
      'App',
      'sast',
      'Semgrep',
      'detected',
      'SQL injection',
      'two\nlines, "quoted"',
      '',
      'high',
      'CVE-2020-1',
    ]));

  it.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =cmd|x', '|calc', '%0A', '＝1', '\n=1'])(
    'runs nothing: %j',
    (title) => expect(rowOf({ ...found, title }, names)[5]).toBe(`'${title}`),
  );

  it.each(['a=1', '1-1', "'=1", '', 'ä'])('does not change %j', (title) =>
    expect(rowOf({ ...found, title }, names)[5]).toBe(title),
  );
});
