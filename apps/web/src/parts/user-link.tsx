import { Named } from '@moothall/pages';
import { pathOf } from './address';

/** The name of a user, which leads to their page. */
export const UserLink = ({ user: { name, web_url } }: { user: { name: string; web_url: string } }) => (
  <a href={pathOf(web_url)}>
    <Named>{name}</Named>
  </a>
);
