import type { Address } from '../page/page';

/** The text that the form searches for. */
export const searchOf = ({ query }: Address): string => query.get('search') ?? '';

/** A form that searches the list of the same page. */
export const SearchForm = ({ label, search }: { label: string; search: string }) => (
  <search>
    <form>
      <label for="search">{label}</label>
      <input id="search" name="search" type="search" value={search} />
      <button type="submit">Search</button>
    </form>
  </search>
);
