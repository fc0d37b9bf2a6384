import type { Scope } from '@moothall/contracts';
import { scopeWords } from './scope-words';

/** Dangerous scopes: they change data, or act for others. */
const grave = new Set(['api', 'sudo', 'write_repository', 'write_registry', 'write_package_registry']);

/** The style class of a scope. */
export const scopeMark = (scope: string): string | undefined => (grave.has(scope) ? 'grave-scope' : undefined);

/** Description and name of a scope; dangerous ones are marked by more than a colour. */
export const ScopeText = ({ scope }: { scope: Scope }) => <WordedScope scope={scope} words={scopeWords[scope]} />;

/** The same in other words, for a token that has no user. */
export const WordedScope = ({ scope, words }: { scope: string; words: string }) => (
  <>
    {grave.has(scope) && <strong>Far-reaching: </strong>}
    {words} <code>{scope}</code>
  </>
);

/** The scopes of an application, dangerous ones first. */
export const ScopeList = ({ scopes }: { scopes: Scope[] }) => (
  <ul>
    {[...scopes]
      .sort((one, other) => Number(grave.has(other)) - Number(grave.has(one)))
      .map((scope) => (
        <li class={scopeMark(scope)}>
          <ScopeText scope={scope} />
        </li>
      ))}
  </ul>
);

/** The same as check boxes. */
export const ScopeChoice = ({ scopes }: { scopes: readonly Scope[] }) => (
  <>
    {scopes.map((scope) => (
      <label for={`scope_${scope}`} class={scopeMark(scope)}>
        <input id={`scope_${scope}`} type="checkbox" name="scopes[]" value={scope} />
        <span>
          <ScopeText scope={scope} />
        </span>
      </label>
    ))}
  </>
);
