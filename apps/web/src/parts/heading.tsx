import { Named } from '@moothall/pages';
import { Avatar, type Pictured } from './avatar';

/** Name and picture of a user, a group or a project, as the heading of their page. */
export const Heading = ({ of, name }: { of: Pictured; name: string }) => (
  <>
    <Avatar of={of} size={48} />
    <Named>{name}</Named>
  </>
);
