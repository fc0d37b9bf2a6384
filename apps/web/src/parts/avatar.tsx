import { ownImage } from './address';

/** What has a picture, and its page. */
export interface Pictured {
  avatar_url: string | null;
  web_url: string;
}

/** The picture of a user, a project or a group before its name, if this server has it. */
export const Avatar = ({ of: { avatar_url, web_url }, size }: { of: Pictured; size: number }) => {
  const source = ownImage(avatar_url, web_url);
  return source === undefined ? null : (
    <>
      <img class="avatar" src={source} alt="" width={size} height={size} />{' '}
    </>
  );
};
