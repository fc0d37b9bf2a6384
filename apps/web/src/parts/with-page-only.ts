import type { Address } from '../page/page';
import { pageOf } from './paging';

/** For links to other pages of a list: they do not repeat that something was saved. */
export const withPageOnly = (address: Address): Address => ({
  ...address,
  query: new URLSearchParams({ page: String(pageOf(address)) }),
});
