import type { GroupRef, ProjectRef, ScopedVariable } from '@moothall/contracts';
import { Named } from '@moothall/pages';
import type { ParentPage } from '../../page/page';
import { Paging, pageOf, perPage } from '../../parts/paging';
import { Saved } from '../../parts/saved';
import { variableForms } from './take-variable-forms';
import { NewVariable, VariableForms } from './variable-forms';
import { nameOfVariable } from './variable-key';
import { ofGroup, ofProject, type VariablesOf } from './variable-operations';

/** The CI variables of a project or a group. */
const variablesPageOf = <T extends { id: number }>(of: VariablesOf<T>, at: string[]): ParentPage<T> => ({
  at,
  async show(visit, parent, address) {
    const asked = { id: String(parent.id), page: pageOf(address), per_page: perPage };
    const [{ items }, mayChange] = await Promise.all([
      visit.ask(of.operations.list, asked),
      // Not in an archived project.
      visit.may(of.operations.create, parent),
    ]);
    const forms = { visit, address };
    return of.within(visit, parent, {
      title: 'Variables',
      body: (
        <>
          <Saved address={address} />
          <p>
            {of.kind === 'group'
              ? 'Jobs of pipelines in all projects of this group get these variables.'
              : 'Jobs of pipelines get these variables.'}
          </p>
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
  forms: variableForms(of),
});

export const variablesPage = variablesPageOf<ProjectRef>(ofProject, ['/variables']);
// A group has no other settings of pipelines.
export const groupVariablesPage = variablesPageOf<GroupRef>(ofGroup, ['/variables', '/settings/ci_cd']);

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
