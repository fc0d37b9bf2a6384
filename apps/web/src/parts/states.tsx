import type { Address } from '../page/page';

/** The chosen state of a list: one of the given ones, the first one by default. */
export const stateOf = <S extends string>({ query }: Address, states: readonly [S, ...S[]]): S =>
  states.find((state) => state === query.get('state')) ?? states[0];

/** A choice of the state of the listed records. */
export const States = ({ address, states }: { address: Address; states: readonly [string, ...string[]] }) => (
  <nav class="parts" aria-label="State">
    {states.map((state) => (
      <a key={state} href={withState(address, state)} aria-current={state === stateOf(address, states)}>
        {state}
      </a>
    ))}
  </nav>
);

function withState({ query }: Address, state: string): string {
  const changed = new URLSearchParams(query);
  changed.set('state', state);
  changed.delete('page');
  return `?${changed}`;
}
