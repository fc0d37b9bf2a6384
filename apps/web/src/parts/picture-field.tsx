import type { UploadedFile } from '@moothall/contracts';
import type { SentForm } from '../forms/sent-form';
import { ownImage } from './address';
import type { Pictured } from './avatar';
import { Check, FileField } from './form';

interface Props {
  /** Of the parameter. */
  name: string;
  label: string;
  hint: string;
  /** Path of the present picture. */
  picture: string | undefined;
}

/** Chooses another picture, or removes the present one: {@link pictureIn}. */
export const PictureField = ({ name, label, hint, picture }: Props) => (
  <>
    <FileField name={name} label={label} hint={hint} accept="image/*" />
    {picture !== undefined && (
      <>
        <img class="logo" src={picture} alt={`The present ${label.toLowerCase()}`} />
        <Check name={removalOf(name)} label={`Remove the ${label.toLowerCase()}`} value={false} />
      </>
    )}
  </>
);

/** The picture of a user, a project or a group. */
export const AvatarField = ({ of: { avatar_url, web_url } }: { of: Pictured }) => (
  <PictureField name="avatar" label="Picture" hint="At most 200 KB." picture={ownImage(avatar_url, web_url)} />
);

const removalOf = (name: string): string => `remove_${name}`;

/** What the user chose: a file, which replaces the picture, or the empty text, which removes it. */
export function pictureIn(sent: SentForm, name: string): Record<string, UploadedFile | ''> {
  const chosen = sent.file(name) ?? (sent.flag(removalOf(name)) === 'true' ? '' : undefined);
  return chosen === undefined ? {} : { [name]: chosen };
}
