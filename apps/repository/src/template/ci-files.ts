import { ofParts } from './ci-file-parts';
import { ofLanguages } from './ci-files-of-languages';
import { ofPages } from './ci-files-of-pages';

/** Ours, by the keys that clients name, in order. Each is a pipeline file that this server takes. */
export const ciFiles: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...ofLanguages, ...ofPages, ...ofParts }).sort(([one], [other]) =>
    one.localeCompare(other, 'en', { sensitivity: 'base' }),
  ),
);
