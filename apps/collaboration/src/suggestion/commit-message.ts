/** Values of the variables in `suggestion_commit_message`. */
export interface AppliedFacts {
  branch_name: string;
  files_count: number;
  file_paths: string;
  project_name: string;
  project_path: string;
  suggestions_count: number;
  user_full_name: string;
  username: string;
  co_authored_by: string;
}

const usual = 'Apply %{suggestions_count} suggestion(s) to %{files_count} file(s)\n\n%{co_authored_by}';

/** Unknown variables stay as written. */
export function renderMessage(template: string | null | undefined, facts: AppliedFacts): string {
  const known: ReadonlyMap<string, string | number> = new Map(Object.entries(facts));
  const wanted = template?.trim() ? template : usual;
  return wanted.replaceAll(/%\{(\w{1,30})\}/g, (written, name: string) => String(known.get(name) ?? written)).trim();
}
