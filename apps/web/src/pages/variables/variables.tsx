import { createProjectVariable, listProjectVariables, type ScopedVariable } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ProjectPage } from '../../page/page';
import { inSettings } from '../../parts/in-settings';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { Saved } from '../../parts/saved';
import { variableForms } from './take-variable-forms';
import { NewVariable, VariableForms } from './variable-forms';
import { nameOfVariable } from './variable-key';

/** The CI variables of a project. */
export const variablesPage: ProjectPage = {
  at: '/variables',
  async show(visit, project, address) {
    const asked = { id: String(project.id), page: pageOf(address), per_page: perPage };
    const [{ items }, mayChange] = await Promise.all([
      visit.ask(listProjectVariables, asked),
      // Not in an archived project.
      visit.may(createProjectVariable, project),
    ]);
    const forms = { visit, address };
    return inSettings(visit, project, {
      title: 'Variables',
      body: (
        <>
          <Saved address={address} />
          <p>Jobs of pipelines get these variables.</p>
          {items.length === 0 && <p class="dim">There are no variables.</p>}
          {items.map((variable) => (
            <section key={nameOfVariable(variable)} class="record">
              <VariableFacts {...variable} />
              {mayChange && <VariableForms {...forms} variable={variable} />}
            </section>
          ))}
          <Paging address={address} shown={items.length} />
          {mayChange && <NewVariable {...forms} />}
        </>
      ),
    });
  },
  forms: variableForms,
};

const VariableFacts = (variable: ScopedVariable) => (
  <>
    <h2>
      <code>{variable.key}</code>
    </h2>
    {variable.description && (
      <p>
        <Named>{variable.description}</Named>
      </p>
    )}
    <ul class="facts">
      <li>{variable.variable_type === 'file' ? 'File' : 'Variable'}</li>
      <li>
        {variable.environment_scope === '*' ? (
          'All environments'
        ) : (
          <>
            Environments <code>{variable.environment_scope}</code>
          </>
        )}
      </li>
      {marksOf(variable).map((mark) => (
        <li key={mark} class="tag">
          {mark}
        </li>
      ))}
    </ul>
  </>
);

const marksOf = (variable: ScopedVariable): string[] =>
  (['protected', 'masked', 'hidden', 'raw'] as const).filter((mark) => variable[mark]);
