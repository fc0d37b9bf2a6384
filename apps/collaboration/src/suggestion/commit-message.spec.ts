import { renderMessage } from './commit-message';

const facts = {
  branch_name: 'feature',
  files_count: 1,
  file_paths: 'a.txt',
  project_name: 'Project',
  project_path: 'project',
  suggestions_count: 2,
  user_full_name: 'A. User',
  username: 'user',
  co_authored_by: '',
};

it('contains the number of applied suggestions by default', () => {
  const usual = 'Apply 2 suggestion(s) to 1 file(s)';
  expect([undefined, null, '', ' '].map((template) => renderMessage(template, facts))).toEqual(Array(4).fill(usual));
  const by = { ...facts, co_authored_by: 'Co-authored-by: B <b@example.com>' };
  expect(renderMessage(null, by)).toBe(`${usual}\n\nCo-authored-by: B <b@example.com>`);
});

it('uses the template of the project, and replaces only known variables', () => {
  expect(renderMessage('%{username} in %{branch_name}: %{file_paths} %{nothing} %{constructor}', facts)).toBe(
    'user in feature: a.txt %{nothing} %{constructor}',
  );
});
