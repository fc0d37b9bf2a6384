import type { Address } from '../page/page';
import { Hidden } from './form';

/** The text that the form searches for. */
export const searchOf = ({ query }: Address): string => query.get('search') ?? '';

/** A form that searches the list of the same page, and keeps its other filters. */
export const SearchForm = ({ label, address }: { label: string; address: Address }) => (
  <search>
    <form>
      {[...address.query]
        .filter(([name]) => name !== 'search' && name !== 'page')
        .map(([name, value]) => (
          <Hidden key={`${name}=${value}`} name={name} value={value} />
        ))}
      <label for="search">{label}</label>
      <input id="search" name="search" type="search" value={searchOf(address)} />
      <button type="submit">Search</button>
    </form>
  </search>
);
