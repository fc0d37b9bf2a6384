/** Fields of a subdocument as an update sets them one by one: `{ 'settings.lfs_enabled': true }`. */
export const below = (field: string, values: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${field}.${name}`, value]));
