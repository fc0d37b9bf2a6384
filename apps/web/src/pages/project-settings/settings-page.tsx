import { getProject, updateProject } from '@moothall/contracts';
import type { ProjectPage } from '../../page/page';
import { below } from '../../parts/code-address';
import type { FieldFacts } from '../../parts/field-list';
import { inSettings } from '../../parts/in-settings';
import { Saved, savedAt } from '../../parts/saved';
import { SettingsForm, saveSettings } from '../../parts/settings-form';

interface Facts {
  title: string;
  /** Below `/-` of the project. */
  at: string;
  fields: readonly FieldFacts[];
}

/** A page with a form for some of the settings of a project. */
const settingsPage = ({ title, at, fields }: Facts): ProjectPage => ({
  at,
  show: async (visit, project, address) =>
    (await visit.mayManage(updateProject, project))
      ? inSettings(visit, project, {
          title,
          body: (
            <>
              <Saved address={address} />
              <SettingsForm
                visit={visit}
                address={address}
                record={await visit.ask(getProject, { id: String(project.id) })}
                fields={fields}
              />
            </>
          ),
        })
      : undefined,
  forms: {
    settings: async (visit, project, _address, sent) => {
      const record = await visit.ask(getProject, { id: String(project.id) });
      await saveSettings(visit, updateProject, record, sent, fields);
      return savedAt(below(project, at.slice(1)));
    },
  },
});

/** When and how merge requests are merged. */
export const mergeRequestSettingsPage = settingsPage({
  title: 'Settings of merge requests',
  at: '/settings/merge_requests',
  fields: [
    {
      name: 'merge_method',
      label: 'Merge method',
      is: [
        { value: 'merge', label: 'Merge commit' },
        { value: 'rebase_merge', label: 'Merge commit, only after a rebase' },
        { value: 'ff', label: 'Fast-forward: no merge commits' },
      ],
    },
    {
      name: 'only_allow_merge_if_pipeline_succeeds',
      label: 'Merge only if the pipeline succeeds',
      is: true,
    },
    { name: 'allow_merge_on_skipped_pipeline', label: 'A skipped pipeline counts as successful', is: true },
    {
      name: 'only_allow_merge_if_all_discussions_are_resolved',
      label: 'Merge only if all threads are resolved',
      is: true,
    },
    {
      name: 'only_allow_merge_if_all_status_checks_passed',
      label: 'Merge only if all external status checks pass',
      is: true,
    },
    {
      name: 'suggestion_commit_message',
      label: 'Message of commits that apply suggestions',
      hint: 'It may contain placeholders such as %{branch_name} and %{file_paths}.',
    },
  ],
});

/** How pipelines run. */
export const pipelineSettingsPage = settingsPage({
  title: 'Settings of pipelines',
  at: '/settings/ci_cd',
  fields: [
    {
      name: 'ci_config_path',
      label: 'Configuration file',
      hint: 'A path from the top of the repository. Without a path, it is .gitlab-ci.yml.',
    },
    {
      name: 'build_timeout',
      label: 'Timeout of a job',
      hint: 'In seconds, for jobs without a timeout of their own.',
      required: true,
    },
    {
      name: 'ci_default_git_depth',
      label: 'Number of commits to clone',
      hint: '0 for all commits.',
      required: true,
    },
    {
      name: 'auto_cancel_pending_pipelines',
      label: 'Older pipelines of the same branch',
      is: [
        { value: 'enabled', label: 'A new pipeline cancels them' },
        { value: 'disabled', label: 'They continue' },
      ],
    },
    { name: 'public_builds', label: 'Everybody who can see the project can see its pipelines', is: true },
  ],
});
