import { createPipeline, invalidRecord } from '@moothall/contracts';
import type { ProjectPage } from '../../page/page';
import { pathOf } from '../../parts/address';
import { branchNames } from '../../parts/branch-names';
import { below } from '../../parts/code-address';
import { Form, TextArea, TextField } from '../../parts/form';
import { inProject } from '../../parts/in-project';

/** A form that runs a pipeline; a link can choose the branch: `?ref=topic`. */
export const newPipelinePage: ProjectPage = {
  at: '/pipelines/new',
  async show(visit, project, address) {
    if (!(await visit.may(createPipeline, project))) return undefined;
    const ref = address.query.get('ref') ?? project.defaultBranch ?? '';
    return inProject(visit, project, {
      title: 'Run a pipeline',
      body: (
        <Form visit={visit} address={address} name="new-pipeline">
          <TextField
            name="ref"
            label="Branch or tag"
            value={ref}
            suggestions={await branchNames(visit, project)}
            required
          />
          <TextArea name="variables" label="Variables" hint="One on each line, as KEY=value." rows={4} />
          <button type="submit">Run the pipeline</button>
          <a href={below(project, 'pipelines')}>Cancel</a>
        </Form>
      ),
    });
  },
  forms: {
    'new-pipeline': async (visit, project, _address, sent) => {
      const { web_url } = await visit.ask(createPipeline, {
        id: String(project.id),
        ref: sent.text('ref'),
        variables: variablesIn(sent.text('variables')),
      });
      return pathOf(web_url);
    },
  },
};

/** @throws common.invalid_record for a line that is not `KEY=value` */
export function variablesIn(text: string): { key: string; value: string }[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => {
    const [, key, value = ''] = /^\s*([^=\s]+)=(.*)$/.exec(line) ?? [];
    if (key === undefined) throw invalidRecord({ variables: ['must be lines such as KEY=value'] });
    return { key, value };
  });
}
